import type { Log } from '../../shared/logger.ts';
import { DELTAS_CHANNEL, listenToJobs, readNotification } from '../../db/jobs/notifications.ts';
import type { Connection, Pool } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import type { TextDelta } from '../../shared/jobs/job.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../shared/retry-after.ts';

const RECONNECT_MS = 1_000;
const MAX_WATCHES = 5_000;
const MAX_DELTAS = 100;

/** Changes of one job, for one waiting request. */
export interface JobWatch {
  /**
   * Waits until the job has changed since the last call, `ms` have passed or `signal` aborts.
   * False: stop, the process is closing.
   */
  next(ms: number, signal?: AbortSignal): Promise<boolean>;
  /** Text of a running model call since the last time; nothing unless asked for. */
  takeDeltas(): TextDelta[];
  stop(): void;
}

interface Watcher {
  changed: boolean;
  wake: (() => void) | undefined;
  deltas: TextDelta[] | undefined;
  untilIdle: boolean;
}

interface WatchOptions {
  deltas?: boolean;
  /** Not woken by the steps of a running job. */
  untilIdle?: boolean;
}

/**
 * Wakes the requests that wait for jobs, through one LISTEN connection however many wait. A lost
 * connection is opened again, and every waiting request reads again then. Callers limit their waits
 * too, so a notification that never came only costs time.
 */
export class JobFeed {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #watchers = new Map<string, Set<Watcher>>();
  #connection: Connection | undefined;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Begins to listen; returns at once, also while Postgres is down. */
  open(): void {
    void this.#connect();
  }

  /** Throws `unavailable` if too many wait already. */
  watch(jobId: string, { deltas = false, untilIdle = false }: WatchOptions = {}): JobWatch {
    if (this.#count >= MAX_WATCHES)
      throw new Problem('unavailable', 'Too many streams are open.', {
        headers: retryAfter(RETRY_AFTER_SECONDS.progressStreams),
      });
    const watcher: Watcher = {
      changed: false,
      wake: undefined,
      deltas: deltas ? [] : undefined,
      untilIdle,
    };
    const group = this.#watchers.get(jobId) ?? new Set();
    this.#watchers.set(jobId, group.add(watcher));
    this.#count += 1;
    return {
      next: (ms, signal) => this.#next(watcher, ms, signal),
      takeDeltas: () => watcher.deltas?.splice(0) ?? [],
      stop: () => {
        if (!group.delete(watcher)) return;
        this.#count -= 1;
        if (group.size === 0 && this.#watchers.get(jobId) === group) this.#watchers.delete(jobId);
      },
    };
  }

  /** Ends every wait and the connection. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#connection?.release(true);
    this.#connection = undefined;
    this.#wakeAll();
  }

  async #next(watcher: Watcher, ms: number, signal?: AbortSignal): Promise<boolean> {
    if (!watcher.changed && !watcher.deltas?.length && !this.#closed && !signal?.aborted) {
      await new Promise<void>(resolve => {
        // A stream waits many times under one signal: each wait removes its listener.
        const wake = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        watcher.wake = wake;
        signal?.addEventListener('abort', wake, { once: true });
      });
    }
    watcher.changed = false;
    watcher.wake = undefined;
    return !this.#closed && !signal?.aborted;
  }

  async #connect(): Promise<void> {
    try {
      const connection = await this.#pool.connect();
      if (this.#closed) return connection.release();
      this.#connection = connection;
      connection.on('notification', ({ channel, payload = '' }) => {
        if (channel === DELTAS_CHANNEL) this.#pass(payload);
        else this.#wake(readNotification(payload));
      });
      connection.once('error', error => this.#lost(connection, error));
      await listenToJobs(connection);
      this.#wakeAll();
    } catch (error) {
      this.#lost(this.#connection, error);
    }
  }

  #lost(connection: Connection | undefined, error: unknown): void {
    if (this.#closed || connection !== this.#connection) return;
    connection?.release(true);
    this.#connection = undefined;
    this.#log.warn({ err: error }, 'the connection that listens for job events was lost');
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
  }

  #pass(payload: string): void {
    const { jobId, ...delta } = JSON.parse(payload) as Omit<TextDelta, 'type'> & { jobId: string };
    for (const watcher of this.#watchers.get(jobId) ?? []) {
      // A reader that does not read gets the whole text later.
      if (!watcher.deltas || watcher.deltas.length >= MAX_DELTAS) continue;
      watcher.deltas.push({ type: 'text_delta', ...delta });
      watcher.wake?.();
    }
  }

  #wake({ jobId, isStep }: { jobId: string; isStep: boolean }): void {
    for (const watcher of this.#watchers.get(jobId) ?? []) {
      if (isStep && watcher.untilIdle) continue;
      watcher.changed = true;
      watcher.wake?.();
    }
  }

  #wakeAll(): void {
    for (const jobId of this.#watchers.keys()) this.#wake({ jobId, isStep: false });
  }
}
