import * as review from '../review.ts';
import type { RouteEntry } from './route-entry.ts';

/** Routes of the comments on a job's changes, for the table of routes. */
export const REVIEW_ROUTES = {
  'GET /projects/:projectId/jobs/:id/comments': {
    who: 'viewer',
    answer: review.ReviewCommentList,
  },
  'POST /projects/:projectId/jobs/:id/comments': {
    who: 'member',
    body: review.NewReviewComment,
    answer: review.ReviewComment,
    status: 201,
  },
  /** Approves the changes of the job. */
  'POST /projects/:projectId/jobs/:id/approval': {
    who: 'member',
    answer: review.ReviewCommentList,
  },
  /** Turns the open ones into one follow-up: the caller requests changes. */
  'POST /projects/:projectId/jobs/:id/comments/send': {
    who: 'member',
    answer: review.ReviewCommentList,
  },
  'PATCH /projects/:projectId/jobs/:id/comments/:commentId': {
    who: 'member',
    params: review.ReviewCommentParams,
    body: review.ReviewCommentChange,
    answer: review.ReviewCommentList,
  },
  /** By its author or an owner, before it is sent. */
  'DELETE /projects/:projectId/jobs/:id/comments/:commentId': {
    who: 'member',
    params: review.ReviewCommentParams,
    answer: review.ReviewCommentList,
  },
} satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, RouteEntry>;
