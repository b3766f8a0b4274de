import { createRoute, redirect } from '@tanstack/react-router';
import { arrival } from '../data/arrival.ts';
import { sessionQuery } from '../data/queries.ts';
import { RequestError } from '../data/request.ts';
import { NotFound } from '../layout/route-states.tsx';
import { Shell } from '../layout/shell.tsx';
import { root } from './root-route.ts';
import { lazyPage } from './lazy-page.ts';

/** The parent of every page that needs a session. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (error instanceof RequestError && error.status === 401)
        throw redirect({ to: '/sign-in', search: { next: location.href } });
      throw error;
    }
  },
});

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: async ({ context }) => {
    const {
      organizations: [organization],
    } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!organization) throw redirect({ to: '/-/account' });
    const [project] = organization.projects;
    if (organization.projects.length === 1 && project)
      throw redirect({
        to: '/$organization/$domain',
        params: { organization: organization.slug, domain: project.domain },
      });
    throw redirect({ to: '/$organization', params: { organization: organization.slug } });
  },
});

// No domain and no slug can be "-", so these addresses never hide a project.
const account = createRoute({
  getParentRoute: () => app,
  path: '/-/account',
  component: lazyPage(async () => (await import('../pages/account/account.tsx')).AccountPage),
});
const organizations = createRoute({
  getParentRoute: () => app,
  path: '/-/organizations',
  component: lazyPage(
    async () => (await import('../pages/installation/organizations.tsx')).OrganizationsPage,
  ),
});
const gitHubReturn = createRoute({
  getParentRoute: () => app,
  path: '/-/github',
  component: lazyPage(
    async () => (await import('../pages/organization/github-return.tsx')).GitHubReturnPage,
  ),
  loader: () => arrival,
});

/** Addresses that no page has keep the frame. */
const unknown = createRoute({ getParentRoute: () => app, path: '$', component: NotFound });

export const signedInRoutes = [home, account, organizations, gitHubReturn, unknown] as const;
