/** A project's overview: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { nullable } from './common.ts';
import { Job } from './jobs.ts';

export const OverviewQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 30 })),
});
export const Overview = Type.Object({
  /** What waits for a person: the newest of each, and how many questions of 30 days. */
  needs: Type.Object({
    /** Jobs that wait for approval, an answer or a budget; then they are in no other list. */
    waiting: Type.Array(Job),
    review: Type.Array(Job),
    failed: Type.Array(Job),
    unanswered: Type.Integer(),
    /** Webhooks that were disabled because they failed; 0 for those who may not see them. */
    webhooks: Type.Integer(),
  }),
  /** A row for each UTC day, oldest first, today last. */
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'YYYY-MM-DD' }),
      /** Pull requests of jobs that were merged on it, as far as is known. */
      merged: Type.Integer(),
      /** Median, from a job of this day to its first commit on the host; null: none. */
      minutesToPullRequest: nullable(Type.Number()),
      questions: Type.Integer(),
      answered: Type.Integer(),
      /** Null: calls were made, and no cost is known. */
      costUsd: nullable(Type.Number()),
    }),
  ),
  /** What a new project has already had. */
  steps: Type.Object({
    indexed: Type.Boolean(),
    job: Type.Boolean(),
    merged: Type.Boolean(),
    key: Type.Boolean(),
    question: Type.Boolean(),
    colleague: Type.Boolean(),
  }),
});
export type Overview = Static<typeof Overview>;
