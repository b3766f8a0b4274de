import { Budget, type Limits } from './budget.ts';
import { type AskOptions, Thread, type ThreadSettings } from './thread.ts';

export interface PoolSettings extends ThreadSettings {
  most: number;
  /** An idle thread then gives its memory back; without it, it keeps what it knows. */
  idleMs?: number;
  /** 1 by default: ending a thread because of one task then harms no other. */
  tasksPerThread?: number;
}

export type UseOptions = Omit<AskOptions, 'budget'> & Partial<Limits>;

/** Asks the lent thread. */
export type Ask = <Answer>(question: unknown) => Promise<Answer>;

/** Threads that start when they are needed, again after a failure, and end when they are idle. */
export class ThreadPool {
  readonly #settings: PoolSettings;
  readonly #threads = new Map<Thread, { tasks: number; idle?: NodeJS.Timeout }>();
  readonly #waiting = new Set<(thread: Thread) => void>();

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** Throws what `Thread.ask` throws. */
  ask<Answer>(question: unknown, options?: UseOptions): Promise<Answer> {
    return this.use(ask => ask<Answer>(question), options);
  }

  /**
   * Lends a thread for several questions, which have their limits together. Waits for one; throws
   * the signal's reason when it aborts meanwhile.
   */
  async use<T>(call: (ask: Ask) => Promise<T>, options: UseOptions = {}): Promise<T> {
    const { signal, onAsked, ...limits } = options;
    signal?.throwIfAborted();
    const thread = await this.#lend(signal);
    const budget = new Budget({ ...this.#settings, ...limits });
    try {
      return await call(question => thread.ask(question, { signal, onAsked, budget }));
    } finally {
      this.#takeBack(thread);
    }
  }

  #lend(signal: AbortSignal | undefined): Promise<Thread> {
    return new Promise((resolve, reject) => {
      const take = (thread: Thread) => {
        signal?.removeEventListener('abort', abort);
        resolve(thread);
      };
      const abort = () => {
        this.#waiting.delete(take);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(take);
      this.#handOut();
    });
  }

  #handOut(): void {
    const { most, tasksPerThread = 1 } = this.#settings;
    for (const take of this.#waiting) {
      for (const thread of this.#threads.keys()) if (!thread.isUsable) this.#threads.delete(thread);
      let [thread, use] = [...this.#threads].find(([, { tasks }]) => tasks < tasksPerThread) ?? [];
      if (!thread || !use) {
        if (this.#threads.size >= most) return;
        thread = new Thread(this.#settings);
        use = { tasks: 0 };
        this.#threads.set(thread, use);
      }
      clearTimeout(use.idle);
      use.tasks += 1;
      this.#waiting.delete(take);
      take(thread);
    }
  }

  #takeBack(thread: Thread): void {
    const use = this.#threads.get(thread);
    if (use && (use.tasks -= 1) === 0) {
      // What it still works on, nobody waits for.
      if (thread.isAsked) void thread.end();
      const { idleMs } = this.#settings;
      if (idleMs !== undefined) use.idle = setTimeout(() => void thread.end(), idleMs).unref();
    }
    this.#handOut();
  }
}
