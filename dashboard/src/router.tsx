import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { arrival } from './data/arrival.ts';
import { queryClient, sessionQuery } from './data/queries.ts';
import { RequestError } from './data/request.ts';
import { OrganizationGate, ProjectGate } from './layout/gates.tsx';
import { Shell } from './layout/shell.tsx';
import { NotFound, RouteFailed, RoutePending } from './layout/route-states.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
  validateSearch: (search: Record<string, unknown>) => optional({ next: text(search['next']) }),
});
const signInCallback = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
  component: lazyRouteComponent(() => import('./pages/sign-in-callback.tsx'), 'SignInCallbackPage'),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./pages/invitation.tsx'), 'InvitationPage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation.tsx'), 'InvitationPage'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./pages/reset.tsx'), 'ResetPage'),
});

/** Everything behind sign-in. */
const app = createRoute({
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
// "-" is nobody's domain and nobody's slug, so these addresses can hide no project.
const account = createRoute({
  getParentRoute: () => app,
  path: '/-/account',
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
});

const gitHubBack = createRoute({
  getParentRoute: () => app,
  path: '/-/github',
  component: lazyRouteComponent(() => import('./pages/github-back.tsx'), 'GitHubBackPage'),
  loader: () => arrival,
});

const organization = createRoute({
  getParentRoute: () => app,
  path: '/$organization',
  component: OrganizationGate,
});
const projects = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/projects.tsx'), 'ProjectsPage'),
});
const members = createRoute({
  getParentRoute: () => organization,
  path: '/-/members',
  component: lazyRouteComponent(() => import('./pages/members.tsx'), 'MembersPage'),
});
const gitHub = createRoute({
  getParentRoute: () => organization,
  path: '/-/github',
  component: lazyRouteComponent(() => import('./pages/github.tsx'), 'GitHubPage'),
  validateSearch: (search: Record<string, unknown>) =>
    optional({ back: oneOf(search['back'], ['connected', 'shown'] as const) }),
});
const newProject = createRoute({
  getParentRoute: () => organization,
  path: '/-/new-project',
  component: lazyRouteComponent(() => import('./pages/new-project.tsx'), 'NewProjectPage'),
});
const usage = createRoute({
  getParentRoute: () => organization,
  path: '/-/usage',
  component: lazyRouteComponent(() => import('./pages/usage.tsx'), 'UsagePage'),
  validateSearch: (search: Record<string, unknown>) =>
    optional({ days: oneOf(search['days'], [7, 90] as const) }),
});

const project = createRoute({
  getParentRoute: () => organization,
  path: '/$domain',
  component: ProjectGate,
});
const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview.tsx'), 'OverviewPage'),
});
const jobs = createRoute({
  getParentRoute: () => project,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./pages/jobs.tsx'), 'JobsPage'),
  validateSearch: (search: Record<string, unknown>) =>
    optional({
      status: oneOf(search['status'], ['active', 'completed', 'failed'] as const),
      search: text(search['search']),
    }),
});
const job = createRoute({
  getParentRoute: () => project,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('./pages/job.tsx'), 'JobPage'),
  validateSearch: (search: Record<string, unknown>) =>
    optional({ view: oneOf(search['view'], ['changes', 'operate'] as const) }),
});
const pulls = createRoute({
  getParentRoute: () => project,
  path: '/pulls',
  component: lazyRouteComponent(() => import('./pages/pulls.tsx'), 'PullsPage'),
  validateSearch: (search: Record<string, unknown>) =>
    optional({ state: oneOf(search['state'], ['merged', 'closed', 'all'] as const) }),
});
const pull = createRoute({
  getParentRoute: () => project,
  path: '/pulls/$number',
  component: lazyRouteComponent(() => import('./pages/pull.tsx'), 'PullPage'),
});
const playground = createRoute({
  getParentRoute: () => project,
  path: '/playground',
  component: lazyRouteComponent(() => import('./pages/playground.tsx'), 'PlaygroundPage'),
});
const questions = createRoute({
  getParentRoute: () => project,
  path: '/questions',
  component: lazyRouteComponent(() => import('./pages/questions.tsx'), 'QuestionsPage'),
  validateSearch: (search: Record<string, unknown>) =>
    optional({
      show: oneOf(search['show'], ['answered', 'all'] as const),
      search: text(search['search']),
    }),
});
const keys = createRoute({
  getParentRoute: () => project,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys.tsx'), 'KeysPage'),
});
const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
});

const routeTree = root.addChildren([
  signIn,
  signInCallback,
  setup,
  invitation,
  reset,
  app.addChildren([
    home,
    account,
    gitHubBack,
    organization.addChildren([
      projects,
      members,
      gitHub,
      newProject,
      usage,
      project.addChildren([
        overview,
        jobs,
        job,
        pulls,
        pull,
        playground,
        questions,
        keys,
        settings,
      ]),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingComponent: RoutePending,
  defaultErrorComponent: RouteFailed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined;
}

function oneOf<const T extends string | number>(
  value: unknown,
  options: readonly T[],
): T | undefined {
  return options.find(option => option === value);
}

/** Members that are undefined are left out of the address; links may name them to take them out. */
function optional<T extends object>(search: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
