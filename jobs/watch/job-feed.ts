import type { Log } from '../../shared/logger.ts';
import {
  DELTAS_CHANNEL,
  listenToJobs,
  readDelta,
  readNotification,
} from '../../db/jobs/notifications.ts';
import type { Connection, Pool } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import type { TextDelta } from '../../shared/jobs/job.ts';
import { jobWatches } from '../../shared/metrics/metrics.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../shared/retry-after.ts';

const RECONNECT_MS = 1_000;
/** A connection that something has swallowed says nothing, as one without news does. */
const PROBE_MS = 15_000;
const MAX_WATCHES = 5_000;
const MAX_WATCHES_OF_ONE = 1_000;
const MAX_DELTAS = 100;

/** Changes of one job, for one waiting request. */
export interface JobWatch {
  /**
   * Waits until the job has changed since the last call, or `ms` have passed. False: stop, the
   * reader has left or the process is closing.
   */
  next(ms: number): Promise<boolean>;
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

/** Who waits, and until when. */
export interface JobReader {
  /** Counts together: the id of a key or of a person. */
  id: string;
  /** Aborts when the response has ended, whatever ended it; may be aborted already. */
  end: AbortSignal;
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
  #probe: NodeJS.Timeout | undefined;
  readonly #perReader = new Map<string, number>();
  #count = 0;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Begins to listen; returns at once, also while Postgres is down. */
  open(): void {
    void this.#connect();
  }

  /** Ends with its reader at the latest. Throws `unavailable` if too many wait already. */
  watch(
    jobId: string,
    { id: readerId, end }: JobReader,
    { deltas = false, untilIdle = false }: WatchOptions = {},
  ): JobWatch {
    const ofReader = this.#perReader.get(readerId) ?? 0;
    if (this.#count >= MAX_WATCHES || ofReader >= MAX_WATCHES_OF_ONE)
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
    this.#tally(readerId, 1);
    const stop = () => {
      end.removeEventListener('abort', stop);
      if (!group.delete(watcher)) return;
      this.#tally(readerId, -1);
      if (group.size === 0 && this.#watchers.get(jobId) === group) this.#watchers.delete(jobId);
    };
    if (end.aborted) stop();
    else end.addEventListener('abort', stop);
    return {
      next: ms => this.#next(watcher, ms, end),
      takeDeltas: () => watcher.deltas?.splice(0) ?? [],
      stop,
    };
  }

  /** Ends every wait and the connection. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#probe);
    this.#connection?.release(true);
    this.#connection = undefined;
    this.#wakeAll();
  }

  #tally(readerId: string, change: 1 | -1): void {
    this.#count += change;
    jobWatches.inc(change);
    const left = (this.#perReader.get(readerId) ?? 0) + change;
    if (left === 0) this.#perReader.delete(readerId);
    else this.#perReader.set(readerId, left);
  }

  async #next(watcher: Watcher, ms: number, end: AbortSignal): Promise<boolean> {
    if (!watcher.changed && !watcher.deltas?.length && !this.#closed && !end.aborted) {
      await new Promise<void>(resolve => {
        // A stream waits many times: each wait removes its listener.
        const wake = () => {
          clearTimeout(timer);
          end.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        watcher.wake = wake;
        end.addEventListener('abort', wake, { once: true });
      });
    }
    watcher.changed = false;
    watcher.wake = undefined;
    return !this.#closed && !end.aborted;
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
      this.#probe = setInterval(() => {
        connection.query('select 1').catch((error: unknown) => this.#lost(connection, error));
      }, PROBE_MS).unref();
      this.#wakeAll();
    } catch (error) {
      this.#lost(this.#connection, error);
    }
  }

  #lost(connection: Connection | undefined, error: unknown): void {
    if (this.#closed || connection !== this.#connection) return;
    clearInterval(this.#probe);
    connection?.release(true);
    this.#connection = undefined;
    this.#log.warn({ err: error }, 'the connection that listens for job events was lost');
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
  }

  #pass(payload: string): void {
    const read = readDelta(payload);
    if (!read) return this.#log.warn('a notification in an unknown form was ignored');
    for (const watcher of this.#watchers.get(read.jobId) ?? []) {
      // A reader that does not read gets the whole text later.
      if (!watcher.deltas || watcher.deltas.length >= MAX_DELTAS) continue;
      watcher.deltas.push(read.delta);
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
