/** What the palette finds: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { worded } from '../../../shared/text/worded.ts';
import { nullable, Time } from './common.ts';
import { OutcomeSchema } from './jobs.ts';

export const FindQuery = Type.Object({
  /** Beginnings of words; `#12` is a pull request. None: the newest. */
  words: Type.Optional(worded('^[^\\0]*$', ', without U+0000', { maxLength: 200 })),
});

/** The best few of each kind. `domain` is the project's. */
export const FindResults = Type.Object({
  jobs: Type.Array(
    Type.Object({
      id: Type.String(),
      domain: Type.String(),
      title: Type.String(),
      outcome: OutcomeSchema,
      /** Number of a pull request on the built-in host; others only have `prLink`. */
      prNumber: nullable(Type.Integer()),
      prLink: nullable(Type.String()),
      createdAt: Time,
    }),
  ),
  questions: Type.Array(
    Type.Object({ id: Type.String(), domain: Type.String(), question: Type.String() }),
  ),
  pages: Type.Array(
    Type.Object({ path: Type.String(), domain: Type.String(), title: Type.String() }),
  ),
  keys: Type.Array(
    Type.Object({
      id: Type.String(),
      domain: nullable(Type.String()),
      name: Type.String(),
      start: Type.String(),
    }),
  ),
});
export type FindResults = Static<typeof FindResults>;
