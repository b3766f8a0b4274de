import { FindQuery, FindResults } from '../find.ts';
import * as jobs from '../jobs.ts';
import type { RouteEntry } from './route-entry.ts';

/** Routes that find things in all projects of an organization, for the table of routes. */
export const FIND_ROUTES = {
  'GET /organizations/:organization/jobs': {
    who: 'viewer',
    query: jobs.JobListQuery,
    answer: jobs.JobList,
  },
  'GET /organizations/:organization/job-filters': {
    who: 'viewer',
    answer: jobs.JobFilterOptions,
  },
  /** What the palette shows for some words. */
  'GET /organizations/:organization/find': {
    who: 'viewer',
    query: FindQuery,
    answer: FindResults,
  },
} satisfies Record<`GET /${string}`, RouteEntry>;
