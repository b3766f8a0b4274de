/** What reviewers ask for again and again: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { MAX_CONVENTION } from '../../../agent/conventions/instruction-file.ts';
import { worded } from '../../../shared/text/worded.ts';
import { Time } from './common.ts';

/** Requests that are alike, of at least two jobs. */
export const ConventionSuggestion = Type.Object({
  id: Type.String(),
  /** One line to begin with: the newest request. */
  line: Type.String(),
  /** Oldest first. */
  requests: Type.Array(
    Type.Object({
      jobId: Type.String(),
      jobTitle: Type.String(),
      text: Type.String(),
      createdAt: Time,
    }),
  ),
});
export type ConventionSuggestion = Static<typeof ConventionSuggestion>;
export const ConventionSuggestions = Type.Object({
  suggestions: Type.Array(ConventionSuggestion),
});
/** The line to add to AGENTS.md, without the sign of a list. */
export const ConventionLine = Type.Object({
  text: worded(
    '^(?=.*\\S)[^\\u0000-\\u001f\\u007f\\u2028\\u2029]+$',
    ' on one line, not only blanks',
    { minLength: 1, maxLength: MAX_CONVENTION },
  ),
});
