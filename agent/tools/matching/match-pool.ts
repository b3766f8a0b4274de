import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Gate } from '../../../hosts/git/gate.ts';
import type { FromMatchThread, MatchAnswers, MatchQuestion } from './match-thread.ts';

/** The pattern is none, or takes too long; the message is for the model. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/**
 * Of all questions of one call, of CPU: a machine that gives this process none says nothing about a
 * pattern.
 */
const TIMEOUT_MS = 30_000;
/** And of time for each, since activities end after two minutes. */
const PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 500;
const MOST_MEMORY_MB = 512;
/** Further calls wait for one of them. */
const MOST_THREADS = 4;
/** Threads that wait for the next call; after a while they give their memory back. */
const MOST_IDLE = 2;
const IDLE_MS = 60_000;

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
  readonly #patienceMs: number;
  /** Of the time for questions; what happens between them does not count. */
  #leftMs: number;
  /** Why there are no more answers. */
  #failure: Error | undefined;
  #isAsked = false;

  constructor(signal: AbortSignal, timeoutMs: number) {
    this.#signal = signal;
    this.#leftMs = timeoutMs;
    this.#patienceMs = Math.max(PATIENCE_MS, timeoutMs);
    this.#worker.removeAllListeners();
    this.#notesItsEnd();
    this.#worker.ref();
  }

  async ask<Q extends MatchQuestion>(question: Q): Promise<MatchAnswers[Q['kind']]> {
    this.#signal.throwIfAborted();
    if (this.#failure) throw this.#failure;
    const message = await this.#reply(question);
    if ('refused' in message) throw new PatternError(refusal(message.refused, question));
    if ('failure' in message) throw new Error(`Matching failed: ${message.failure}`);
    return message.answer as MatchAnswers[Q['kind']];
  }

  #reply(question: MatchQuestion): Promise<FromMatchThread> {
    const worker = this.#worker;
    const spentMs = stopwatch();
    this.#isAsked = true;
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearInterval(watch);
        this.#signal.removeEventListener('abort', abort);
        worker.removeAllListeners();
        this.#notesItsEnd();
        this.#leftMs -= spentMs().ofCpu;
        this.#isAsked = false;
        then();
      };
      const end = (error: Error): void =>
        settle(() => {
          this.#failure = error;
          void worker.terminate();
          reject(error);
        });
      const abort = (): void => end(this.#signal.reason as Error);
      const look = (): void => {
        const { ofCpu, all } = spentMs();
        if (ofCpu > this.#leftMs || all > this.#patienceMs) end(tooLong());
      };
      const watch = setInterval(look, Math.max(1, Math.min(LOOK_EVERY_MS, this.#leftMs)));
      this.#signal.addEventListener('abort', abort, { once: true });
      worker.once('message', message => settle(() => resolve(message)));
      worker.once('error', error => end(failureOf(error)));
      worker.once('exit', () => end(failureOf()));
      worker.postMessage(question);
    });
  }

  /** Also between two questions, when nobody waits for an answer. */
  #notesItsEnd(): void {
    this.#worker.on('error', error => {
      this.#failure ??= failureOf(error);
    });
    this.#worker.on('exit', () => {
      this.#failure ??= failureOf();
    });
  }

  giveBack(): void {
    if (this.#failure) return;
    const worker = this.#worker;
    // An answer that nobody waits for any more would be taken for that of the next question.
    if (this.#isAsked || idle.length >= MOST_IDLE) return void worker.terminate();
    // An idle thread keeps no process alive.
    worker.unref();
    idle.push(worker);
    const timer = setTimeout(() => {
      if (idle.includes(worker)) void worker.terminate();
    }, IDLE_MS).unref();
    worker.once('exit', () => {
      clearTimeout(timer);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
  }
}

/** Milliseconds from now on; of CPU those that this process got, but no more than have passed. */
function stopwatch(): () => { all: number; ofCpu: number } {
  const [began, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const all = performance.now() - began;
    const { user, system } = process.cpuUsage(before);
    return { all, ofCpu: Math.min(all, (user + system) / 1_000) };
  };
}

function failureOf(error?: Error & { code?: unknown }): Error {
  if (error?.code === 'ERR_WORKER_OUT_OF_MEMORY') return tooLong();
  return error ?? new Error('The thread that matches patterns ended.');
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
