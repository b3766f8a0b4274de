import * as changes from '../job-changes.ts';
import * as jobs from '../jobs.ts';
import type { RouteEntry } from './route-entry.ts';

/** Routes of jobs that wait for a person, for the table of routes. */
export const WAITING_ROUTES = {
  'POST /projects/:projectId/jobs/:id/approve': {
    who: 'member',
    body: changes.Decision,
    answer: jobs.Job,
  },
  'POST /projects/:projectId/jobs/:id/decline': {
    who: 'member',
    body: changes.Decision,
    answer: jobs.Job,
  },
  /** A job that waits for its budget continues once it may spend more. */
  'PATCH /projects/:projectId/jobs/:id': {
    who: 'member',
    body: changes.NewBudget,
    answer: jobs.Job,
  },
} satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, RouteEntry>;
