import { FileText, FileTextQuery } from '../jobs.ts';
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
} satisfies Record<`GET /${string}`, RouteEntry>;
