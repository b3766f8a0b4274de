/** Comments on the changes of a job: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { nonBlank } from '../../../shared/text/worded.ts';
import { Id, nullable, Time } from './common.ts';

const CommentText = nonBlank({ minLength: 1, maxLength: 4_000 });

export const NewReviewComment = Type.Object({
  file: nonBlank({ minLength: 1, maxLength: 1_000 }),
  /** Of the file as it becomes; null: on a passage, or on the whole file. */
  line: nullable(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  /** The line or the passage that it is about. */
  quote: Type.String({ maxLength: 500 }),
  text: CommentText,
  /** The comment that began the thread: a reply has its file, line and quote. */
  parentId: Type.Optional(Id),
});
export type NewReviewComment = Static<typeof NewReviewComment>;

/** `sent`: the agent has it. What the agent never read is open again. */
export const ReviewComment = Type.Object({
  id: Type.String(),
  author: Type.String(),
  /** Whether the caller may delete it now. */
  deletable: Type.Boolean(),
  /** Whether the caller may change its text now. */
  editable: Type.Boolean(),
  /** Null: it began its thread. */
  parentId: nullable(Type.String()),
  file: Type.String(),
  line: nullable(Type.Integer()),
  quote: Type.String(),
  text: Type.String(),
  state: Type.Union([Type.Literal('open'), Type.Literal('sent'), Type.Literal('resolved')]),
  createdAt: Time,
  editedAt: nullable(Time),
});
export type ReviewComment = Static<typeof ReviewComment>;
const Verdict = Type.Union([Type.Literal('approved'), Type.Literal('changes_requested')]);
/** What a person decided last about the changes of a job. */
export const ReviewVerdict = Type.Object({
  author: Type.String(),
  verdict: Verdict,
  /** The changes are newer. */
  isOld: Type.Boolean(),
  createdAt: Time,
});
export type ReviewVerdict = Static<typeof ReviewVerdict>;

/** Oldest first. */
export const ReviewCommentList = Type.Object({
  comments: Type.Array(ReviewComment),
  verdicts: Type.Array(ReviewVerdict),
});
export type ReviewCommentList = Static<typeof ReviewCommentList>;

export const ReviewCommentChange = Type.Object({
  resolved: Type.Optional(Type.Boolean()),
  text: Type.Optional(CommentText),
});
export const ReviewCommentParams = Type.Object({ projectId: Id, id: Id, commentId: Id });
