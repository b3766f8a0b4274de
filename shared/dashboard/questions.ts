/** Questions of readers: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { Cursor, nullable, Time } from './common.ts';
import { Limit, Search } from './jobs.ts';

export const QuestionQuery = Type.Object({
  answered: Type.Optional(Type.Boolean()),
  search: Search,
  cursor: Type.Optional(Cursor),
  limit: Limit,
});
export const Question = Type.Object({
  id: Type.String(),
  question: Type.String(),
  answered: Type.Boolean(),
  createdAt: Time,
  /** What the assistant said; null once the thread is gone. */
  answer: nullable(Type.String()),
  sources: Type.Array(Type.Object({ url: Type.String(), title: Type.String() })),
  /** What "start a job" asks for. */
  suggestedPrompt: Type.String(),
  /** The newest job that was started from it. */
  jobId: nullable(Type.String()),
});
export type Question = Static<typeof Question>;
export const QuestionList = Type.Object({
  questions: Type.Array(Question),
  nextCursor: nullable(Type.String()),
});
export type QuestionList = Static<typeof QuestionList>;
