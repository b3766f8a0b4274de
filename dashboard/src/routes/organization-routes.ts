import { createRoute } from '@tanstack/react-router';
import { OrganizationGate } from '../layout/gates.tsx';
import { oneOf, optional, type SearchParams } from './search-params.ts';
import { app } from './signed-in-routes.ts';
import { lazyPage } from './lazy-page.ts';

export const organization = createRoute({
  getParentRoute: () => app,
  path: '/$organization',
  component: OrganizationGate,
});

const projects = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: lazyPage(
    async () => (await import('../pages/organization/projects.tsx')).ProjectsPage,
  ),
});
const members = createRoute({
  getParentRoute: () => organization,
  path: '/-/members',
  component: lazyPage(async () => (await import('../pages/organization/members.tsx')).MembersPage),
});
const gitHub = createRoute({
  getParentRoute: () => organization,
  path: '/-/github',
  component: lazyPage(async () => (await import('../pages/organization/github.tsx')).GitHubPage),
  validateSearch: (search: SearchParams) =>
    optional({ back: oneOf(search['back'], ['connected', 'shown']) }),
});
const newProject = createRoute({
  getParentRoute: () => organization,
  path: '/-/new-project',
  component: lazyPage(
    async () => (await import('../pages/organization/new-project.tsx')).NewProjectPage,
  ),
});
const usage = createRoute({
  getParentRoute: () => organization,
  path: '/-/usage',
  component: lazyPage(async () => (await import('../pages/organization/usage.tsx')).UsagePage),
  validateSearch: (search: SearchParams) => optional({ days: oneOf(search['days'], [7, 90]) }),
});

export const organizationPages = [projects, members, gitHub, newProject, usage] as const;
