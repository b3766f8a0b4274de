import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ThreadFailure } from '../../shared/threads/thread.ts';
import { ThreadPool } from '../../shared/threads/thread-pool.ts';
import type { FoundInText } from '../review/points-in-text.ts';
import { rememberByContent } from '../content-cache.ts';
import type { ContentItem, SiteReading } from './content/item.ts';
import type { Answers, Question, TooMuch } from './judge-thread.ts';
import type { Secret } from './secrets/secrets.ts';

/** For one file: a page of 1 MiB takes a second, the start of a thread included. */
export const MOST_SECONDS = 20;
/** And of time, so that no activity waits forever. */
const PATIENCE_SECONDS = 90;
const MOST_MEMORY_MB = 768;
export const IDLE_MS = 60_000;
const REMEMBERED = 2_000;

const pool = new ThreadPool({
  built: 'judge-thread',
  source: join(import.meta.dirname, 'judge-thread.ts'),
  // Each has 60 MB; a worker judges one page at a time, but for its other jobs.
  most: Math.min(2, availableParallelism()),
  idleMs: IDLE_MS,
  cpuMs: MOST_SECONDS * 1000,
  patienceMs: PATIENCE_SECONDS * 1000,
  memoryMb: MOST_MEMORY_MB,
  // For parsers that call themselves: the usual 4 MB are little for 20,000 characters.
  stackMb: 32,
});

/**
 * A text took too long to judge, or too much memory: nothing is known of it, so it is refused. That
 * is remembered of the text, unless it may be the machine's fault.
 */
export class Unjudged extends Error {}

/**
 * Everything in a page or SVG file that is not in a plain form, in the order in which it stands
 * there. Throws `Unjudged`.
 */
export async function contentItems(
  path: string,
  text: string,
  site: SiteReading,
): Promise<ContentItem[]> {
  const reading = JSON.stringify(site);
  const judge = readings.get(reading) ?? judgeFor(site);
  readings.set(reading, judge);
  return judged(await judge(path, text));
}

/** Every text in a file's content that looks like a secret. Throws `Unjudged`. */
export async function findSecrets(content: string): Promise<Secret[]> {
  return judged(await secretsOf('', content));
}

/** What a reviewer should look at in a text, unless a known one has the line. Throws `Unjudged`. */
export async function pointsOf(text: string, known: readonly string[]): Promise<FoundInText[]> {
  return judged(await ask({ kind: 'points', text, known }));
}

const judgeFor = (site: SiteReading) =>
  rememberByContent((path, text) => ask({ kind: 'content', path, text, site }), REMEMBERED);
/** What is remembered, for each way in which sites are read. */
const readings = new Map<string, ReturnType<typeof judgeFor>>();
const secretsOf = rememberByContent((_path, text) => ask({ kind: 'secrets', text }), REMEMBERED);

function judged<T>(answer: T | Unjudged): T {
  if (answer instanceof Unjudged) throw answer;
  return answer;
}

async function ask<Q extends Question>(question: Q): Promise<Answers[Q['kind']] | Unjudged> {
  try {
    const answer = await pool.ask<Answers[Q['kind']] | TooMuch>(question);
    return 'tooMuch' in answer ? new Unjudged(answer.tooMuch) : answer;
  } catch (error) {
    const reason = error instanceof ThreadFailure ? error.reason : undefined;
    if (reason === 'cpu') return new Unjudged(`It takes more than ${MOST_SECONDS} seconds.`);
    if (reason === 'memory') return new Unjudged(`It takes more than ${MOST_MEMORY_MB} MB.`);
    // Not remembered: the next one who asks may have a better time.
    if (reason === 'time') throw new Unjudged(`It takes more than ${PATIENCE_SECONDS} seconds.`);
    throw error;
  }
}
