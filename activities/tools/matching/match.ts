import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A regular expression in RE2's syntax; `^` and `$` are the ends of lines. */
export interface Pattern {
  source: string;
  ignoreCase: boolean;
}

/** Offsets, the end exclusive. */
export interface Match {
  start: number;
  end: number;
  /** What stands in its place after a replacement. */
  text?: string;
}

/** The pattern is none, or takes too long; the message is for the model. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Of all texts of one call: activities end after two minutes. */
const TIMEOUT_MS = 30_000;
const MOST_MEMORY_MB = 512;
const MOST_MATCHES = 100_000;
/** Threads that wait for the next call. */
const MOST_IDLE = 2;

const idle: Worker[] = [];

/**
 * Matches in texts, one after another, in a thread of its own. Call `close` at the end. Methods
 * throw `PatternError`.
 */
export class Matcher {
  readonly #pattern: Pattern;
  readonly #replacement: string | null;
  readonly #thread: Worker;
  readonly #endsAt: number;
  #isUsable = true;

  /** `replacement`: with `$1` for groups. */
  constructor(pattern: Pattern, replacement: string | null = null, timeoutMs = TIMEOUT_MS) {
    this.#pattern = pattern;
    this.#replacement = replacement;
    this.#endsAt = Date.now() + timeoutMs;
    this.#thread = idle.pop() ?? startThread();
  }

  async matches(text: string, limit = MOST_MATCHES): Promise<Match[]> {
    if (!this.#isUsable) throw tooLong();
    const thread = this.#thread;
    thread.ref();
    const answer = await new Promise<{ matches: Match[] } | { error: string }>(
      (resolve, reject) => {
        const fail = (): void => {
          this.#isUsable = false;
          thread.removeAllListeners();
          void thread.terminate();
          reject(tooLong());
        };
        const timeout = setTimeout(fail, Math.max(1, this.#endsAt - Date.now()));
        thread.removeAllListeners();
        thread.once('error', fail);
        thread.once('exit', fail);
        thread.once('message', message => {
          clearTimeout(timeout);
          resolve(message);
        });
        const { source, ignoreCase } = this.#pattern;
        thread.postMessage({ source, ignoreCase, text, replacement: this.#replacement, limit });
      },
    );
    if ('matches' in answer) return answer.matches;
    throw new PatternError(
      `The pattern${this.#replacement === null ? '' : ', or its replacement,'} is not one that RE2 ` +
        `accepts: ${answer.error}. ` +
        'Escape ( ) [ ] { } . * + ? ^ $ | \\ with a backslash to search for them.',
    );
  }

  close(): void {
    if (!this.#isUsable) return;
    this.#isUsable = false;
    // An idle thread keeps no process alive.
    const thread = this.#thread;
    thread.removeAllListeners();
    thread.unref();
    if (idle.length >= MOST_IDLE) return void thread.terminate();
    idle.push(thread);
    thread.on('error', () => undefined);
    thread.once('exit', () => void idle.splice(idle.indexOf(thread), 1));
  }
}

function startThread(): Worker {
  return new Worker(join(import.meta.dirname, 'match-thread.mjs'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
}

function tooLong(): PatternError {
  return new PatternError(
    'The pattern takes too long on these files. Narrow the glob, or write a simpler pattern.',
  );
}
