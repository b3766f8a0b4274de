import type {
  FileDiff,
  FileText,
  PullRequestDetail,
} from '../../../../api/dashboard/contract/jobs.ts';
import type { ChangedPage, LinkedPages } from '../../../../api/dashboard/contract/site.ts';
import { queryClient } from '../../data/queries.ts';
import { type Query, reading } from '../../data/query.ts';
import { ask, urlOf } from '../../data/request.ts';
import { addressPath, type SiteSource } from '../reader/site-source.ts';
import { projectSource, publicSource } from '../reader/sources.ts';

/** Where a review gets what the diff lacks. */
export interface ReviewSource {
  /** Says which review it is, to keep what belongs to it apart in the browser. */
  name: string;
  /** Its pages, where there is a pull request. */
  pages?: ReviewPages;
  /** The address of an image before or after; undefined: images are not for these readers. */
  image?(file: string, side: 'before' | 'after'): string;
  /** A file as it becomes; undefined: no more than the diff is for these readers. */
  text?(file: FileDiff): Query<FileText>;
}

export interface ReviewPages {
  /** The page of a file with its changes marked. */
  changed(file: FileDiff): Query<ChangedPage>;
  /** For the links and images of pages. */
  site: SiteSource;
}

/** The review of a pull request by people of the organization. */
export function memberReview(
  pull: PullRequestDetail,
  projectId: string,
  { organization, domain }: { organization: string; domain: string },
): ReviewSource {
  const { number, head } = pull;
  const params = { projectId, number };
  const address = (path: string, hash?: string) =>
    `/dashboard/${organization}/${domain}/docs${addressPath(path)}` +
    `?ref=${encodeURIComponent(JSON.stringify(head))}${hash ? `#${encodeURIComponent(hash)}` : ''}`;
  return {
    name: `${projectId} ${number}`,
    pages: {
      changed: ({ path, from }) =>
        reading('GET /projects/:projectId/pulls/:number/page', {
          params,
          query: { file: path, from: from ?? undefined },
        }),
      site: projectSource(projectId, head, {
        address,
        go: (path, hash) => location.assign(address(path, hash)),
      }),
    },
    image: (file, side) =>
      urlOf('GET /projects/:projectId/pulls/:number/image', { params, query: { file, side } }),
    text: ({ path }) =>
      reading('GET /projects/:projectId/pulls/:number/text', { params, query: { file: path } }),
  };
}

const NOT_SHOWN: ChangedPage = {
  nodes: [{ tag: 'p', children: ['Only its source is shown: too many pages changed.'] }],
};

/** The review of a pull request by people with its link: what the diff shows, and no more. */
export function linkReview(link: string): ReviewSource {
  const pages = {
    queryKey: [link, 'pages'],
    queryFn: () => ask<LinkedPages>(`${link}/pages`),
    staleTime: 60_000,
  };
  return {
    name: link,
    pages: {
      changed: ({ path }) => ({
        queryKey: [link, 'page', path],
        // All of them are one answer.
        queryFn: async () =>
          (await queryClient.fetchQuery(pages)).pages.find(page => page.path === path) ?? NOT_SHOWN,
      }),
      // Never asked: these pages name no page and no image of their site.
      site: publicSource('', { address: () => link, go: () => undefined }),
    },
  };
}
