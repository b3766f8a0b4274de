import { createRoute } from '@tanstack/react-router';
import type { AuditAction } from '../../../db/audit/audit-actions.ts';
import { ACTION_NAMES } from '../components/audit/action-names.ts';
import { OrganizationGate } from '../layout/gates.tsx';
import { jobSearch } from './job-search.ts';
import { oneOf, optional, type SearchParams, text } from './search-params.ts';
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
const jobs = createRoute({
  getParentRoute: () => organization,
  path: '/-/jobs',
  component: lazyPage(
    async () => (await import('../pages/organization/jobs.tsx')).OrganizationJobsPage,
  ),
  validateSearch: jobSearch,
});
const usage = createRoute({
  getParentRoute: () => organization,
  path: '/-/usage',
  component: lazyPage(async () => (await import('../pages/organization/usage.tsx')).UsagePage),
  validateSearch: (search: SearchParams) => optional({ days: oneOf(search['days'], [7, 90]) }),
});
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: '/-/webhooks',
  component: lazyPage(
    async () => (await import('../pages/organization/webhooks.tsx')).WebhooksPage,
  ),
  validateSearch: (search: SearchParams) => optional({ webhook: text(search['webhook']) }),
});
const audit = createRoute({
  getParentRoute: () => organization,
  path: '/-/audit',
  component: lazyPage(async () => (await import('../pages/organization/audit.tsx')).AuditPage),
  validateSearch: (search: SearchParams) =>
    optional({ action: oneOf(search['action'], Object.keys(ACTION_NAMES) as AuditAction[]) }),
});

export const organizationPages = [
  projects,
  jobs,
  members,
  gitHub,
  newProject,
  usage,
  webhooks,
  audit,
] as const;
