import * as feedback from '../feedback.ts';
import { Job } from '../jobs.ts';
import type { RouteEntry } from './route-entry.ts';

/** Routes of what readers think of pages, for the table of routes. */
export const FEEDBACK_ROUTES = {
  'GET /projects/:projectId/feedback': {
    who: 'viewer',
    query: feedback.FeedbackQuery,
    answer: feedback.FeedbackList,
  },
  'PATCH /projects/:projectId/feedback/:id': {
    who: 'member',
    body: feedback.FeedbackChange,
    answer: feedback.Feedback,
  },
  /** Starts a job that looks into a comment; then it is in progress. */
  'POST /projects/:projectId/feedback/:id/job': { who: 'member', answer: Job, status: 201 },
} satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, RouteEntry>;
