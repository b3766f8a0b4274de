/** Questions of readers: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { Cursor, nullable, Time } from './common.ts';
import {
  ExportQuery as ReportExport,
  type QuestionReport,
} from '../../readers/question-schemas.ts';
import { Limit, Search, Sources } from './jobs.ts';
import { UsageQuery } from './usage.ts';

export const QuestionQuery = Type.Object({
  answered: Type.Optional(Type.Boolean()),
  /** Those that a person dismissed or resolved, or those that nobody did. */
  closed: Type.Optional(Type.Boolean()),
  search: Search,
  cursor: Type.Optional(Cursor),
  limit: Limit,
});
const State = Type.Union([
  Type.Literal('open'),
  Type.Literal('dismissed'),
  Type.Literal('resolved'),
]);
/** Questions that are alike; text, answer and time are those of the newest. */
export const Question = Type.Object({
  id: Type.String(),
  question: Type.String(),
  answered: Type.Boolean(),
  createdAt: Time,
  /** Resolved questions open again when the docs do not answer one afterwards. */
  state: State,
  /** Site path of the page that resolved it. */
  page: nullable(Type.String()),
  /** How often it was asked. */
  asked: Type.Integer(),
  /** How often in each of the last eight weeks, the current one last. */
  weeks: Type.Array(Type.Integer()),
  /** Its newest wordings, at most five. */
  wordings: Type.Array(Type.String()),
  /** What the assistant said; null once the thread is gone. */
  answer: nullable(Type.String()),
  sources: Sources,
  /** Of readers on its answers, with the newest reasons. */
  votes: Type.Object({
    helpful: Type.Integer(),
    notHelpful: Type.Integer(),
    comments: Type.Array(Type.String()),
  }),
  /** What "start a job" asks for. */
  suggestedPrompt: Type.String(),
  /** The newest job that was started from it. */
  jobId: nullable(Type.String()),
  /** After a pull request of that job was merged; without sources the docs do not answer it. */
  askedAgain: nullable(Type.Object({ at: Time, sources: Sources })),
});
export type Question = Static<typeof Question>;
export const QuestionList = Type.Object({
  questions: Type.Array(Question),
  nextCursor: nullable(Type.String()),
});
export type QuestionList = Static<typeof QuestionList>;
/** Closed without a page: dismissed; by the page that answers it: resolved. */
export const QuestionChange = Type.Object({
  closed: Type.Boolean(),
  page: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
});

export const ExportQuery = Type.Object({
  ...UsageQuery.properties,
  of: ReportExport.properties.of,
});
export type QuestionReport = Static<typeof QuestionReport>;
