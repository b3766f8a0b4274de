import { createRouter } from '@tanstack/react-router';
import { queryClient } from './data/queries.ts';
import { NotFound, RouteFailed, RoutePending } from './layout/route-states.tsx';
import { organization, organizationPages } from './routes/organization-routes.ts';
import { project, projectPages } from './routes/project-routes.ts';
import { root } from './routes/root-route.ts';
import { app, signedInRoutes } from './routes/signed-in-routes.ts';
import { signInRoutes } from './routes/sign-in-routes.ts';

export const router = createRouter({
  routeTree: root.addChildren([
    ...signInRoutes,
    app.addChildren([
      ...signedInRoutes,
      organization.addChildren([...organizationPages, project.addChildren(projectPages)]),
    ]),
  ]),
  basepath: '/dashboard',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingComponent: RoutePending,
  defaultErrorComponent: RouteFailed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // What no page knows goes from the address, so that every page has only values it knows.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
