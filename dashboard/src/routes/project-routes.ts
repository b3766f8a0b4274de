import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ProjectGate } from '../layout/gates.tsx';
import { organization } from './organization-routes.ts';
import { oneOf, optional, type SearchParams, text } from './search-params.ts';

export const project = createRoute({
  getParentRoute: () => organization,
  path: '/$domain',
  component: ProjectGate,
});

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/project/overview.tsx'), 'OverviewPage'),
});
const jobs = createRoute({
  getParentRoute: () => project,
  path: '/jobs',
  component: lazyRouteComponent(() => import('../pages/project/jobs.tsx'), 'JobsPage'),
  validateSearch: (search: SearchParams) =>
    optional({
      status: oneOf(search['status'], ['active', 'completed', 'failed']),
      search: text(search['search']),
    }),
});
const job = createRoute({
  getParentRoute: () => project,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('../pages/project/job.tsx'), 'JobPage'),
  validateSearch: (search: SearchParams) =>
    optional({ view: oneOf(search['view'], ['changes', 'operate']) }),
});
const pullRequests = createRoute({
  getParentRoute: () => project,
  path: '/pulls',
  component: lazyRouteComponent(
    () => import('../pages/project/pull-requests.tsx'),
    'PullRequestsPage',
  ),
  validateSearch: (search: SearchParams) =>
    optional({ state: oneOf(search['state'], ['merged', 'closed', 'all']) }),
});
const pullRequest = createRoute({
  getParentRoute: () => project,
  path: '/pulls/$number',
  component: lazyRouteComponent(
    () => import('../pages/project/pull-request.tsx'),
    'PullRequestPage',
  ),
});
const playground = createRoute({
  getParentRoute: () => project,
  path: '/playground',
  component: lazyRouteComponent(() => import('../pages/project/playground.tsx'), 'PlaygroundPage'),
});
const questions = createRoute({
  getParentRoute: () => project,
  path: '/questions',
  component: lazyRouteComponent(() => import('../pages/project/questions.tsx'), 'QuestionsPage'),
  validateSearch: (search: SearchParams) =>
    optional({
      show: oneOf(search['show'], ['answered', 'all']),
      search: text(search['search']),
    }),
});
const keys = createRoute({
  getParentRoute: () => project,
  path: '/keys',
  component: lazyRouteComponent(() => import('../pages/project/keys.tsx'), 'KeysPage'),
});
const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/project/settings.tsx'), 'SettingsPage'),
});

export const projectPages = [
  overview,
  jobs,
  job,
  pullRequests,
  pullRequest,
  playground,
  questions,
  keys,
  settings,
] as const;
