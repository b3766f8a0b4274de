import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Gate } from '../../../hosts/git/gate.ts';
import type { FromMatchThread, MatchAnswers, MatchQuestion } from './match-thread.ts';

/** The pattern is none, or takes too long; the message is for the model. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Of all questions of one call: activities end after two minutes. */
const TIMEOUT_MS = 30_000;
const MOST_MEMORY_MB = 512;
/** Further calls wait for one of them. */
const MOST_THREADS = 4;
/** Threads that wait for the next call. */
const MOST_IDLE = 2;

const gate = new Gate(MOST_THREADS);
const idle: Worker[] = [];

/** Asks a question and waits for its answer. Throws `PatternError`, and on abort. */
export type AskThread = <Q extends MatchQuestion>(question: Q) => Promise<MatchAnswers[Q['kind']]>;

/** Lends a thread to a call, which asks one question at a time. Throws on abort. */
export async function withMatchThread<T>(
  signal: AbortSignal,
  use: (ask: AskThread) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  signal.throwIfAborted();
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  const call = gate.run(async () => {
    signal.throwIfAborted(); // while it waited
    const thread = new LentThread(signal, timeoutMs);
    try {
      return await use(question => thread.ask(question));
    } finally {
      thread.giveBack();
    }
  });
  try {
    return await Promise.race([call, aborted]);
  } finally {
    if (abort) signal.removeEventListener('abort', abort);
  }
}

class LentThread {
  readonly #worker = idle.pop() ?? startWorker();
  readonly #signal: AbortSignal;
  /** Of the time for questions; what happens between them does not count. */
  #leftMs: number;
  #isUsable = true;

  constructor(signal: AbortSignal, timeoutMs: number) {
    this.#signal = signal;
    this.#leftMs = timeoutMs;
    this.#worker.removeAllListeners();
    this.#notesItsEnd();
    this.#worker.ref();
  }

  async ask<Q extends MatchQuestion>(question: Q): Promise<MatchAnswers[Q['kind']]> {
    this.#signal.throwIfAborted();
    if (!this.#isUsable) throw tooLong();
    const message = await this.#reply(question);
    if ('refused' in message) throw new PatternError(refusal(message.refused, question));
    if ('failure' in message) throw new Error(`Matching failed: ${message.failure}`);
    return message.answer as MatchAnswers[Q['kind']];
  }

  #reply(question: MatchQuestion): Promise<FromMatchThread> {
    const worker = this.#worker;
    const askedAt = Date.now();
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timeout);
        this.#signal.removeEventListener('abort', abort);
        worker.removeAllListeners();
        this.#notesItsEnd();
        this.#leftMs -= Date.now() - askedAt;
        then();
      };
      const end = (error: unknown): void =>
        settle(() => {
          this.#isUsable = false;
          void worker.terminate();
          reject(error);
        });
      const abort = (): void => end(this.#signal.reason);
      const timeout = setTimeout(() => end(tooLong()), Math.max(1, this.#leftMs));
      this.#signal.addEventListener('abort', abort, { once: true });
      worker.once('message', message => settle(() => resolve(message)));
      worker.once('error', (error: Error & { code?: unknown }) =>
        end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLong() : error),
      );
      worker.once('exit', () => end(new Error('The thread that matches patterns ended.')));
      worker.postMessage(question);
    });
  }

  /** Also between two questions, when nobody waits for an answer. */
  #notesItsEnd(): void {
    for (const event of ['error', 'exit'])
      this.#worker.on(event, () => {
        this.#isUsable = false;
      });
  }

  giveBack(): void {
    if (!this.#isUsable) return;
    this.#isUsable = false;
    const worker = this.#worker;
    if (idle.length >= MOST_IDLE) return void worker.terminate();
    // An idle thread keeps no process alive.
    worker.unref();
    idle.push(worker);
    worker.once('exit', () => void idle.splice(idle.indexOf(worker), 1));
  }
}

function startWorker(): Worker {
  return new Worker(join(import.meta.dirname, 'match-worker.mjs'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
}

function refusal(error: string, question: MatchQuestion): string {
  const replaces = question.kind === 'replacements';
  return (
    `The pattern${replaces ? ', or its replacement,' : ''} is not one that RE2 accepts: ${error}. ` +
    'Escape ( ) [ ] { } . * + ? ^ $ | \\ with a backslash to search for them.'
  );
}

function tooLong(): PatternError {
  return new PatternError(
    'The pattern takes too long on these files. Narrow the glob, or write a simpler pattern.',
  );
}
