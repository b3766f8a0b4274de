import {
  infiniteQueryOptions,
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  Account,
  MemberList,
  Session,
  SessionList,
  SetupStatus,
} from '../../../shared/dashboard/people.ts';
import type { Conversation } from '../../../shared/jobs/conversation.ts';
import type {
  Diff,
  JobDetail,
  JobList,
  PullRequestDetail,
  PullRequestList,
  QuestionList,
} from '../../../shared/dashboard/jobs.ts';
import type {
  IndexStatus,
  KeyList,
  Project,
  RepositoryList,
} from '../../../shared/dashboard/projects.ts';
import type { Usage } from '../../../shared/dashboard/usage.ts';
import { get, RequestError, send } from './request.ts';

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

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<Session>('/session', {}, signal),
  staleTime: 60_000,
});
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => get<SetupStatus>('/setup', {}, signal),
});
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => get<SessionList>('/sessions', {}, signal),
});

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => get<Account>('/account', {}, signal),
});

export const membersQuery = (organization: string) =>
  queryOptions({
    queryKey: ['members', organization],
    queryFn: ({ signal }) => get<MemberList>(`/organizations/${organization}/members`, {}, signal),
  });
export const repositoriesQuery = (organization: string) =>
  queryOptions({
    queryKey: ['repositories', organization],
    queryFn: ({ signal }) =>
      get<RepositoryList>(`/organizations/${organization}/repositories`, {}, signal),
  });
export const usageQuery = (organization: string, days: number) =>
  queryOptions({
    queryKey: ['usage', organization, days],
    queryFn: ({ signal }) => get<Usage>(`/organizations/${organization}/usage`, { days }, signal),
  });

/** Everything of a project, under one first key. */
function ofProject<T>(
  projectId: string,
  path: string,
  query: Record<string, string | number | boolean | undefined> = {},
) {
  return {
    queryKey: ['project', projectId, path, query],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      get<T>(`/projects/${projectId}${path}`, query, signal),
  };
}

export const projectQuery = (projectId: string) => queryOptions(ofProject<Project>(projectId, ''));
export const indexQuery = (projectId: string) =>
  queryOptions({
    ...ofProject<IndexStatus>(projectId, '/index'),
    refetchInterval: query => (query.state.data?.run === 'running' ? 1_500 : false),
  });
export const keysQuery = (projectId: string) =>
  queryOptions(ofProject<KeyList>(projectId, '/keys'));
export const jobQuery = (projectId: string, id: string) =>
  queryOptions({
    ...ofProject<JobDetail>(projectId, `/jobs/${id}`),
    refetchInterval: query => (query.state.data?.archivedAt === null ? CALM_MS : false),
  });
export const conversationQuery = (projectId: string, id: string) =>
  queryOptions(ofProject<Conversation>(projectId, `/jobs/${id}/messages`));
export const diffQuery = (projectId: string, id: string) =>
  queryOptions(ofProject<Diff>(projectId, `/jobs/${id}/diff`));
export const pullsQuery = (projectId: string, state: 'open' | 'merged' | 'closed' | undefined) =>
  queryOptions(ofProject<PullRequestList>(projectId, '/pulls', { state }));
export const pullQuery = (projectId: string, number: string) =>
  queryOptions(ofProject<PullRequestDetail>(projectId, `/pulls/${number}`));

export interface JobFilter {
  status?: 'active' | 'completed' | 'failed' | undefined;
  search?: string | undefined;
}
export interface QuestionFilter {
  answered?: boolean | undefined;
  search?: string | undefined;
}

/** A list that is read page by page. */
function paged<T extends { nextCursor: string | null }>(
  projectId: string,
  path: string,
  filter: Record<string, string | boolean | undefined>,
) {
  return {
    queryKey: ['project', projectId, path, 'pages', filter],
    queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      get<T>(`/projects/${projectId}${path}`, { ...filter, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: T) => last.nextCursor ?? undefined,
  };
}

export const jobsQuery = (projectId: string, filter: JobFilter) =>
  infiniteQueryOptions({
    ...paged<JobList>(projectId, '/jobs', { ...filter }),
    refetchInterval: query =>
      query.state.data?.pages.some(page => page.jobs.some(job => job.status === 'active'))
        ? LIVE_MS
        : CALM_MS,
  });
export const questionsQuery = (projectId: string, filter: QuestionFilter) =>
  infiniteQueryOptions(paged<QuestionList>(projectId, '/questions', { ...filter }));
export const recentJobsQuery = (projectId: string) =>
  queryOptions({
    ...ofProject<JobList>(projectId, '/jobs', { limit: 5 }),
    refetchInterval: query =>
      query.state.data?.jobs.some(job => job.status === 'active') ? LIVE_MS : CALM_MS,
  });

export interface Call<Body> {
  path: string;
  body?: Body;
}

/**
 * A change; `onDone` comes first. Then all that is on screen is asked again: cheaper than to know
 * what depended on it.
 */
export function useSend<Answer, Body = undefined>(
  method: 'POST' | 'PATCH' | 'DELETE',
  onDone?: (answer: Answer) => unknown,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, body }: Call<Body>) => send<Answer>(method, path, body),
    onSuccess: async answer => {
      await onDone?.(answer);
      await client.invalidateQueries();
    },
  });
}
