import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Budget, type Limits } from './budget.ts';
import type { FromThread, ToThread } from './serve-thread.ts';

export interface ThreadSettings extends Limits {
  /** Path of the module that it runs, which calls `serveThread`. */
  source: string;
  /** The same in `THREADS` of `bin/build.mjs`; without it, the source runs. */
  built?: string;
  memoryMb: number;
  /** For what calls itself deeply: Node gives 4. */
  stackMb?: number;
}

export interface AskOptions {
  /** Ends the thread: nothing else stops one that works. */
  signal?: AbortSignal | undefined;
  /** For several questions together; otherwise each has all that the settings allow. */
  budget?: Budget | undefined;
  /** Answers what the thread asks back. What it throws is thrown to who asked the thread. */
  onAsked?: ((asked: never) => unknown) | undefined;
}

/**
 * `cpu`, `time`, `memory`: the task needed more than it may. `failed`: it threw, and the message is
 * what it said. `ended`: the thread was ended, by itself or because of another task.
 */
export type FailureReason = 'cpu' | 'time' | 'memory' | 'failed' | 'ended';

export class ThreadFailure extends Error {
  override readonly name = 'ThreadFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message = `The thread ended: ${reason}.`) {
    super(message);
    this.reason = reason;
  }
}

interface Task extends Pick<AskOptions, 'onAsked'> {
  budget: Budget;
  /** Why what it asked back has no answer. */
  error?: unknown;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

const LOOK_EVERY_MS = 500;

/**
 * A thread of its own for work that would hold the event loop. It is asked any number of questions
 * and can ask back before it answers one. A question fails with `ThreadFailure`, or the reason of
 * its signal. A limit that is exceeded, an abort and a crash end the thread, and with it every
 * other question; a new `Thread` has to be made then (`ThreadPool` does). One that is not asked
 * anything keeps no process alive.
 */
export class Thread {
  readonly #settings: ThreadSettings;
  readonly #worker: Worker;
  readonly #tasks = new Map<number, Task>();
  #last = 0;
  #watch: NodeJS.Timeout | undefined;
  #failure: ThreadFailure | undefined;

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
    const { built, source, memoryMb, stackMb } = settings;
    this.#worker = new Worker(join(import.meta.dirname, 'start-thread.mjs'), {
      execArgv: [],
      workerData: { built, source },
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMb,
        ...(stackMb !== undefined && { stackSizeMb: stackMb }),
      },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error: Error & { code?: unknown }) => {
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#fail(new ThreadFailure(isTooLarge ? 'memory' : 'failed', error.message));
    });
    this.#worker.on('exit', () => this.#fail(new ThreadFailure('ended')));
  }

  /** It was not ended. */
  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  /** Someone waits for an answer, or did: it may work. */
  get isAsked(): boolean {
    return this.#tasks.size > 0;
  }

  async ask<Answer>(question: unknown, options: AskOptions = {}): Promise<Answer> {
    const { signal, budget = new Budget(this.#settings), onAsked } = options;
    signal?.throwIfAborted();
    if (this.#failure) throw this.#failure;
    // By earlier questions, each too short to be looked at.
    if (budget.exceeded) throw new ThreadFailure(budget.exceeded);
    const id = (this.#last += 1);
    const abort = () => void this.end();
    signal?.addEventListener('abort', abort, { once: true });
    budget.start();
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const settle = resolve as (answer: unknown) => void;
        this.#tasks.set(id, { budget, onAsked, resolve: settle, reject });
        this.#worker.ref();
        this.#watch ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
        this.#post({ id, question });
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      budget.stop();
      this.#tasks.delete(id);
      if (!this.isAsked) this.#rest();
    }
  }

  async end(): Promise<void> {
    this.#fail(new ThreadFailure('ended'));
    await this.#worker.terminate();
  }

  #hear(message: FromThread): void {
    const task = this.#tasks.get(message.id);
    if (!task) return;
    if ('answer' in message) task.resolve(message.answer);
    else if ('failure' in message)
      task.reject(task.error ?? new ThreadFailure('failed', message.failure));
    else void this.#reply(message.id, task, message.asked);
  }

  async #reply(id: number, task: Task, asked: unknown): Promise<void> {
    const { budget, onAsked } = task;
    budget.stop();
    try {
      this.#post({ id, reply: await onAsked?.(asked as never) });
    } catch (error) {
      task.error = error;
      this.#post({ id, refused: true });
    }
    if (this.#tasks.has(id)) budget.start();
  }

  #look(): void {
    for (const { budget } of this.#tasks.values()) {
      const { exceeded } = budget;
      if (!exceeded) continue;
      this.#fail(new ThreadFailure(exceeded));
      return void this.#worker.terminate();
    }
  }

  #fail(failure: ThreadFailure): void {
    this.#failure ??= failure;
    for (const { reject } of this.#tasks.values()) reject(this.#failure);
  }

  #rest(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#worker.unref();
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}
