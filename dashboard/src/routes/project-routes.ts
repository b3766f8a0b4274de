import { createRoute } from '@tanstack/react-router';
import { ProjectGate } from '../layout/gates.tsx';
import { NotFound } from '../layout/route-states.tsx';
import { jobSearch } from './job-search.ts';
import { organization } from './organization-routes.ts';
import { oneOf, optional, type SearchParams, text } from './search-params.ts';
import { lazyPage } from './lazy-page.ts';

export const project = createRoute({
  getParentRoute: () => organization,
  path: '/$domain',
  component: ProjectGate,
});

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyPage(async () => (await import('../pages/project/overview.tsx')).OverviewPage),
});
const jobs = createRoute({
  getParentRoute: () => project,
  path: '/jobs',
  component: lazyPage(async () => (await import('../pages/project/jobs.tsx')).JobsPage),
  validateSearch: jobSearch,
});
const job = createRoute({
  getParentRoute: () => project,
  path: '/jobs/$jobId',
  component: lazyPage(async () => (await import('../pages/project/job.tsx')).JobPage),
  validateSearch: (search: SearchParams) =>
    optional({ view: oneOf(search['view'], ['changes', 'operate']) }),
});
const pullRequests = createRoute({
  getParentRoute: () => project,
  path: '/pulls',
  component: lazyPage(
    async () => (await import('../pages/project/pull-requests.tsx')).PullRequestsPage,
  ),
  validateSearch: (search: SearchParams) =>
    optional({ state: oneOf(search['state'], ['merged', 'closed', 'all']) }),
});
const pullRequest = createRoute({
  getParentRoute: () => project,
  path: '/pulls/$number',
  component: lazyPage(
    async () => (await import('../pages/project/pull-request.tsx')).PullRequestPage,
  ),
});
const playground = createRoute({
  getParentRoute: () => project,
  path: '/playground',
  component: lazyPage(async () => (await import('../pages/project/playground.tsx')).PlaygroundPage),
});
const widget = createRoute({
  getParentRoute: () => project,
  path: '/widget',
  component: lazyPage(async () => (await import('../pages/project/widget.tsx')).WidgetPage),
});
const questions = createRoute({
  getParentRoute: () => project,
  path: '/questions',
  component: lazyPage(async () => (await import('../pages/project/questions.tsx')).QuestionsPage),
  validateSearch: (search: SearchParams) =>
    optional({
      show: oneOf(search['show'], ['answered', 'closed', 'all', 'report', 'feedback']),
      search: text(search['search']),
    }),
});
const automations = createRoute({
  getParentRoute: () => project,
  path: '/automations',
  component: lazyPage(
    async () => (await import('../pages/project/automations.tsx')).AutomationsPage,
  ),
  validateSearch: (search: SearchParams) => optional({ automation: text(search['automation']) }),
});
const keys = createRoute({
  getParentRoute: () => project,
  path: '/keys',
  component: lazyPage(async () => (await import('../pages/project/keys.tsx')).KeysPage),
  validateSearch: (search: SearchParams) =>
    optional({ search: text(search['search']), show: oneOf(search['show'], ['ended']) }),
});
const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyPage(async () => (await import('../pages/project/settings.tsx')).SettingsPage),
});

const docs = createRoute({
  getParentRoute: () => project,
  path: '/docs/$',
  component: lazyPage(async () => (await import('../pages/project/docs.tsx')).DocsPage),
  validateSearch: (search: SearchParams) => optional({ ref: text(search['ref']) }),
});

const unknown = createRoute({ getParentRoute: () => project, path: '$', component: NotFound });

export const projectPages = [
  overview,
  jobs,
  job,
  pullRequests,
  pullRequest,
  playground,
  widget,
  questions,
  automations,
  keys,
  settings,
  docs,
  unknown,
] as const;
