import * as conventions from '../conventions.ts';
import { Job } from '../jobs.ts';
import type { RouteEntry } from './route-entry.ts';

/** Routes of what reviewers ask for again and again, for the table of routes. */
export const CONVENTION_ROUTES = {
  'GET /projects/:projectId/conventions': {
    who: 'member',
    answer: conventions.ConventionSuggestions,
  },
  /** Starts a job that adds the line to AGENTS.md. */
  'POST /projects/:projectId/conventions/:id/job': {
    who: 'member',
    body: conventions.ConventionLine,
    answer: Job,
    status: 201,
  },
  /** Dismisses the suggestion, and those like it. */
  'DELETE /projects/:projectId/conventions/:id': { who: 'member' },
} satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, RouteEntry>;
