import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { AuditAction } from '../../../db/audit/audit-actions.ts';
import type { Answer, Route } from '../../../api/dashboard/contract/routes/route-types.ts';
import type { JobSearch } from '../routes/job-search.ts';
import { call, type Input, RequestError } from './request.ts';

const LIVE_MS = 4_000;
/** What others and scripts do shows without a click, too. */
const CALM_MS = 20_000;
const isOurFault = (error: Error) =>
  !(error instanceof RequestError) || error.status === 0 || error.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (failures, error) => failures < 2 && isOurFault(error) },
  },
});

type Reading = Route & `GET ${string}`;
type Changing = Exclude<Route, Reading>;

/** A route that is read: its key begins with its name, and what it is called with. */
export function read<R extends Reading>(route: R, input: Input<R>) {
  return queryOptions({
    queryKey: [route, input] as const,
    queryFn: ({ signal }) => call(route, input, signal),
  });
}

/** Whether a query reads this job, or something below it. */
export function isOfJob(
  [route, input]: readonly unknown[],
  projectId: string,
  id: string,
): boolean {
  const { params } = (input ?? {}) as { params?: { projectId?: unknown; id?: unknown } };
  return (
    String(route).startsWith('GET /projects/:projectId/jobs/:id') &&
    params?.projectId === projectId &&
    params.id === id
  );
}

export const sessionQuery = queryOptions({ ...read('GET /session', {}), staleTime: 60_000 });
export const setupQuery = read('GET /setup', {});
export const sessionsQuery = read('GET /sessions', {});
export const accountQuery = read('GET /account', {});

/** A list that is read page by page. */
export const byPage = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor ?? undefined,
};

export const membersQuery = (organization: string) =>
  read('GET /organizations/:organization/members', { params: { organization } });
export const repositoriesQuery = (organization: string) =>
  read('GET /organizations/:organization/repositories', { params: { organization } });
export const usageQuery = (organization: string, days: number) =>
  read('GET /organizations/:organization/usage', { params: { organization }, query: { days } });

export const jobFiltersQuery = (organization: string) =>
  queryOptions({
    ...read('GET /organizations/:organization/job-filters', { params: { organization } }),
    staleTime: 60_000,
  });
export const findQuery = (organization: string, words: string) =>
  queryOptions({
    ...read('GET /organizations/:organization/find', {
      params: { organization },
      query: { words },
    }),
    placeholderData: keepPreviousData,
  });

export const auditQuery = (organization: string, action: AuditAction | undefined) =>
  infiniteQueryOptions({
    ...byPage,
    queryKey: ['GET /organizations/:organization/audit', 'pages', organization, action],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /organizations/:organization/audit',
        { params: { organization }, query: { action, cursor } },
        signal,
      ),
  });

export const webhooksQuery = (organization: string) =>
  queryOptions({
    ...read('GET /organizations/:organization/webhooks', { params: { organization } }),
    refetchInterval: LIVE_MS,
  });
export const deliveriesQuery = (organization: string, id: string) =>
  queryOptions({
    ...read('GET /organizations/:organization/webhooks/:id/deliveries', {
      params: { organization, id },
    }),
    refetchInterval: LIVE_MS,
  });

export const projectQuery = (projectId: string) =>
  read('GET /projects/:projectId', { params: { projectId } });
export const overviewQuery = (projectId: string) =>
  queryOptions({
    ...read('GET /projects/:projectId/overview', { params: { projectId } }),
    refetchInterval: CALM_MS,
  });
export const indexQuery = (projectId: string) =>
  queryOptions({
    ...read('GET /projects/:projectId/index', { params: { projectId } }),
    // Null: Temporal did not answer in time, which passes.
    refetchInterval: ({ state: { data } }) =>
      data?.run === 'running' ? 1_500 : data?.run === null ? LIVE_MS : false,
  });
export const automationsQuery = (projectId: string) =>
  queryOptions({
    ...read('GET /projects/:projectId/automations', { params: { projectId } }),
    refetchInterval: LIVE_MS,
  });
export const automationRunsQuery = (projectId: string, id: string) =>
  queryOptions({
    ...read('GET /projects/:projectId/automations/:id/runs', { params: { projectId, id } }),
    refetchInterval: LIVE_MS,
  });
export const keysQuery = (projectId: string) =>
  read('GET /projects/:projectId/keys', { params: { projectId } });
export const jobQuery = (projectId: string, id: string) =>
  queryOptions({
    ...read('GET /projects/:projectId/jobs/:id', { params: { projectId, id } }),
    refetchInterval: query => (query.state.data?.archivedAt === null ? CALM_MS : false),
  });
export const conversationQuery = (projectId: string, id: string) =>
  read('GET /projects/:projectId/jobs/:id/messages', { params: { projectId, id } });
export const stepQuery = (params: { projectId: string; id: string }, turn: number, step: number) =>
  read('GET /projects/:projectId/jobs/:id/steps/:turn/:step', {
    params: { ...params, turn, step },
  });
export const diffQuery = (projectId: string, id: string) =>
  read('GET /projects/:projectId/jobs/:id/diff', { params: { projectId, id } });
/** What colleagues write shows, too. */
export const commentsQuery = (projectId: string, id: string) =>
  queryOptions({
    ...read('GET /projects/:projectId/jobs/:id/comments', { params: { projectId, id } }),
    refetchInterval: CALM_MS,
  });
export const pullsQuery = (projectId: string, state: 'open' | 'merged' | 'closed' | undefined) =>
  infiniteQueryOptions({
    ...byPage,
    queryKey: ['GET /projects/:projectId/pulls', 'pages', projectId, state],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /projects/:projectId/pulls',
        { params: { projectId }, query: { state, cursor } },
        signal,
      ),
  });
export const pullQuery = (projectId: string, number: string) =>
  read('GET /projects/:projectId/pulls/:number', { params: { projectId, number } });
export const recentJobsQuery = (projectId: string) =>
  queryOptions({
    ...read('GET /projects/:projectId/jobs', { params: { projectId }, query: { limit: 5 } }),
    refetchInterval: query =>
      query.state.data?.jobs.some(job => job.status === 'active') ? LIVE_MS : CALM_MS,
  });

export interface QuestionFilter {
  answered?: boolean | undefined;
  closed?: boolean | undefined;
  search?: string | undefined;
}

/** When a day begins where the reader is, or one so many days later. */
function startOf(day: string | undefined, later = 0): string | undefined {
  const [year = NaN, month = NaN, date = NaN] = day?.split('-').map(Number) ?? [];
  return day && new Date(year, month - 1, date + later).toISOString();
}

/** Of a project, or of all projects of an organization. */
export const jobsQuery = (
  scope: { projectId: string } | { organization: string },
  filter: JobSearch,
) =>
  infiniteQueryOptions({
    ...byPage,
    queryKey: ['jobs', 'pages', scope, filter],
    queryFn: ({ pageParam: cursor, signal }) => {
      const { since, until, ...rest } = filter;
      const query = { ...rest, since: startOf(since), until: startOf(until, 1), cursor };
      return 'projectId' in scope
        ? call('GET /projects/:projectId/jobs', { params: scope, query }, signal)
        : call('GET /organizations/:organization/jobs', { params: scope, query }, signal);
    },
    refetchInterval: query =>
      query.state.data?.pages.some(page => page.jobs.some(job => job.status === 'active'))
        ? LIVE_MS
        : CALM_MS,
  });
export const questionsQuery = (projectId: string, filter: QuestionFilter) =>
  infiniteQueryOptions({
    ...byPage,
    queryKey: ['GET /projects/:projectId/questions', 'pages', projectId, filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /projects/:projectId/questions',
        { params: { projectId }, query: { ...filter, cursor } },
        signal,
      ),
  });
export const feedbackQuery = (projectId: string) =>
  infiniteQueryOptions({
    ...byPage,
    queryKey: ['GET /projects/:projectId/feedback', 'pages', projectId],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /projects/:projectId/feedback',
        { params: { projectId }, query: { cursor } },
        signal,
      ),
  });

/**
 * A change; `onDone` comes first. Then all that is on screen is read again: cheaper than knowing
 * what depended on it.
 */
export function useSend<R extends Changing>(route: R, onDone?: (answer: Answer<R>) => unknown) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<R>) => call(route, input),
    onSuccess: async answer => {
      await onDone?.(answer);
      await client.invalidateQueries();
    },
  });
}
