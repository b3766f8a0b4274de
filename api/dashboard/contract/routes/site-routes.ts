import { FileText, FileTextQuery } from '../jobs.ts';
import { PlaygroundBody } from '../../../assistant/message-body.ts';
import type { RouteEntry } from './route-entry.ts';
import * as site from '../site.ts';

/** Routes that read a docs site, for the table of routes. */
export const SITE_ROUTES = {
  /** The docs as a reader sees them, at the base or at a branch. */
  'GET /projects/:projectId/site': { who: 'viewer', query: site.SiteQuery, answer: site.SiteView },
  'GET /projects/:projectId/site/page': {
    who: 'viewer',
    query: site.SitePageQuery,
    answer: site.SitePageView,
  },
  'GET /projects/:projectId/site/search': {
    who: 'viewer',
    query: site.SiteSearchQuery,
    answer: site.SiteSearchResults,
  },
  'GET /projects/:projectId/site/image': {
    who: 'viewer',
    query: site.SitePageQuery,
    stream: true,
  },
  'GET /projects/:projectId/pulls/:number/page': {
    who: 'viewer',
    query: site.ChangedPageQuery,
    answer: site.ChangedPage,
  },
  /** An image of a pull request, before or after it. */
  'GET /projects/:projectId/pulls/:number/image': {
    who: 'viewer',
    query: site.ChangedImageQuery,
    stream: true,
  },
  'GET /projects/:projectId/pulls/:number/text': {
    who: 'viewer',
    query: FileTextQuery,
    answer: FileText,
  },
  /** The same of a public project, by its domain; `-` is Docent's own docs. */
  'GET /sites/:domain': {
    who: 'anybody',
    params: site.PublicSiteParams,
    query: site.PublicSiteQuery,
    answer: site.SiteView,
  },
  'GET /sites/:domain/page': {
    who: 'anybody',
    params: site.PublicSiteParams,
    query: site.SitePageQuery,
    answer: site.SitePageView,
  },
  'GET /sites/:domain/search': {
    who: 'anybody',
    params: site.PublicSiteParams,
    query: site.SiteSearchQuery,
    answer: site.SiteSearchResults,
  },
  'GET /sites/:domain/image': {
    who: 'anybody',
    params: site.PublicSiteParams,
    query: site.SitePageQuery,
    stream: true,
  },
  /** Body and stream of the playground, for readers without an account. */
  'POST /sites/:domain/assistant': {
    who: 'anybody',
    params: site.PublicSiteParams,
    body: PlaygroundBody,
    bodyLimit: 4 * 1024 * 1024,
    stream: true,
  },
} satisfies Record<`${'GET' | 'POST'} /${string}`, RouteEntry>;
