import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  GitHubConnection,
  GitHubRepositoryList,
  RepositoryHealth,
  RepositoryInspection,
} from '../../../shared/dashboard/github.ts';
import { get } from './request.ts';

/** What GitHub answers may cost it several requests: less often than our own. */
const FRESH_MS = 30_000;

export const gitHubQuery = (organization: string) =>
  queryOptions({
    queryKey: ['github', organization],
    queryFn: ({ signal }) =>
      get<GitHubConnection>(`/organizations/${organization}/github`, {}, signal),
    staleTime: FRESH_MS,
  });

/** Page by page; what is shown stays while somebody types on. */
export const gitHubRepositoriesQuery = (organization: string, search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['github', organization, 'repositories', search],
    queryFn: ({ pageParam, signal }) =>
      get<GitHubRepositoryList>(
        `/organizations/${organization}/github/repositories`,
        { search, cursor: pageParam },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: last => last.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

export const inspectionQuery = (organization: string, repository: string) =>
  queryOptions({
    queryKey: ['github', organization, 'repository', repository],
    queryFn: ({ signal }) =>
      get<RepositoryInspection>(
        `/organizations/${organization}/github/repository`,
        { repository },
        signal,
      ),
    staleTime: FRESH_MS,
  });

export const repositoryHealthQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, '/repository'],
    queryFn: ({ signal }) => get<RepositoryHealth>(`/projects/${projectId}/repository`, {}, signal),
    staleTime: FRESH_MS,
  });
