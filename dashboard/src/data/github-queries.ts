import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { byPage, read } from './queries.ts';
import { call } from './request.ts';

/** What GitHub answers may cost it several requests: less often than our own. */
const FRESH_MS = 30_000;

export const gitHubQuery = (organization: string) =>
  queryOptions({
    ...read('GET /organizations/:organization/github', { params: { organization } }),
    staleTime: FRESH_MS,
  });

/** Page by page; the shown page stays while the search is typed. */
export const gitHubRepositoriesQuery = (organization: string, search: string | undefined) =>
  infiniteQueryOptions({
    ...byPage,
    queryKey: ['GET /organizations/:organization/github/repositories', organization, search],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /organizations/:organization/github/repositories',
        { params: { organization }, query: { search, cursor } },
        signal,
      ),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

export const inspectionQuery = (organization: string, repository: string) =>
  queryOptions({
    ...read('GET /organizations/:organization/github/repository', {
      params: { organization },
      query: { repository },
    }),
    staleTime: FRESH_MS,
  });

export const repositoryHealthQuery = (projectId: string) =>
  queryOptions({
    ...read('GET /projects/:projectId/repository', { params: { projectId } }),
    staleTime: FRESH_MS,
  });
