/** Comments on the changes of a job: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { nonBlank } from '../../../shared/text/worded.ts';
import { Id, nullable, Time } from './common.ts';

export const NewReviewComment = Type.Object({
  file: nonBlank({ minLength: 1, maxLength: 1_000 }),
  /** Of the file as it becomes; null: on a passage, or on the whole file. */
  line: nullable(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  /** The line or the passage that it is about. */
  quote: Type.String({ maxLength: 500 }),
  text: nonBlank({ minLength: 1, maxLength: 4_000 }),
});
export type NewReviewComment = Static<typeof NewReviewComment>;

/** `sent`: the agent has it. What the agent never read is open again. */
export const ReviewComment = Type.Object({
  id: Type.String(),
  author: Type.String(),
  /** Whether the caller may delete it now. */
  deletable: Type.Boolean(),
  file: Type.String(),
  line: nullable(Type.Integer()),
  quote: Type.String(),
  text: Type.String(),
  state: Type.Union([Type.Literal('open'), Type.Literal('sent'), Type.Literal('resolved')]),
  createdAt: Time,
});
export type ReviewComment = Static<typeof ReviewComment>;
/** Oldest first. */
export const ReviewCommentList = Type.Object({ comments: Type.Array(ReviewComment) });
export type ReviewCommentList = Static<typeof ReviewCommentList>;

export const ReviewCommentChange = Type.Object({ resolved: Type.Boolean() });
export const ReviewCommentParams = Type.Object({ projectId: Id, id: Id, commentId: Id });
