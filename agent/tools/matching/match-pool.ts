import { join } from 'node:path';
import { ThreadFailure } from '../../../shared/threads/thread.ts';
import { ThreadPool } from '../../../shared/threads/thread-pool.ts';
import type { MatchAnswers, MatchQuestion, Refused } from './match-thread.ts';

/** The pattern is none, or takes too long; the message is for the model. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Of all questions of one call, which have to be over when an activity ends after two minutes. */
const TIMEOUT_MS = 30_000;
const PATIENCE_MS = 110_000;

const pool = new ThreadPool({
  built: 'match-thread',
  source: join(import.meta.dirname, 'match-thread.ts'),
  most: 4,
  idleMs: 60_000,
  cpuMs: TIMEOUT_MS,
  patienceMs: PATIENCE_MS,
  memoryMb: 512,
});

/** Asks a question and waits for its answer. Throws `PatternError`, and on abort. */
export type AskThread = <Q extends MatchQuestion>(question: Q) => Promise<MatchAnswers[Q['kind']]>;

/** Lends a thread to a call, which asks one question at a time. Throws on abort. */
export function withMatchThread<T>(
  signal: AbortSignal,
  use: (ask: AskThread) => Promise<T>,
  cpuMs = TIMEOUT_MS,
): Promise<T> {
  return pool.use(
    ask =>
      use(async question => {
        type Answer = MatchAnswers[(typeof question)['kind']];
        const answer = await ask<Answer | Refused>(question).catch(tooLong);
        if (!('refused' in answer)) return answer;
        throw new PatternError(refusal(answer.refused, question));
      }),
    { signal, cpuMs },
  );
}

function refusal(error: string, question: MatchQuestion): string {
  const replaces = question.kind === 'replacements';
  return (
    `The pattern${replaces ? ', or its replacement,' : ''} is not one that RE2 accepts: ${error}. ` +
    'Escape ( ) [ ] { } . * + ? ^ $ | \\ with a backslash to search for them.'
  );
}

function tooLong(error: unknown): never {
  if (error instanceof ThreadFailure && ['cpu', 'time', 'memory'].includes(error.reason))
    throw new PatternError(
      'The pattern takes too long on these files. Narrow the glob, or write a simpler pattern.',
    );
  throw error;
}
