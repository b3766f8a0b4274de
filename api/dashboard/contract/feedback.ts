/** What readers think of pages: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { FEEDBACK_STATUSES } from '../../../shared/page-feedback.ts';
import { Cursor, nullable, Time } from './common.ts';
import { Limit } from './jobs.ts';

export const FeedbackQuery = Type.Object({ cursor: Type.Optional(Cursor), limit: Limit });
const Status = Type.Union(FEEDBACK_STATUSES.map(status => Type.Literal(status)));
export const Feedback = Type.Object({
  id: Type.String(),
  /** Of the page. */
  path: Type.String(),
  /** null: words only. */
  helpful: nullable(Type.Boolean()),
  comment: nullable(Type.String()),
  /** Where the reader wants an answer. */
  contact: nullable(Type.String()),
  source: Type.String(),
  status: Status,
  createdAt: Time,
});
export type Feedback = Static<typeof Feedback>;
export const FeedbackList = Type.Object({
  feedback: Type.Array(Feedback),
  nextCursor: nullable(Type.String()),
});
export const FeedbackChange = Type.Object({ status: Status });
