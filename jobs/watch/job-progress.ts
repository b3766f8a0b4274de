import { readProgress, type StoredEvent } from '../../db/jobs/events.ts';
import type { Job } from '../../db/jobs/job.ts';
import type { JobEvent, TextDelta } from '../../shared/jobs/job.ts';
import type { JobReader, JobWatch } from './job-feed.ts';
import { linkNow } from '../../hosts/registry.ts';
import type { JobsDeps } from '../deps.ts';

const BATCH = 500;
/** A notification can be missed; a stream reads again after this long at the latest. */
const SAFETY_READ_MS = 5_000;
/** Under the 30 to 60 s after which proxies give up on a silent connection. */
const KEEP_ALIVE_MS = 15_000;

type Followed = Pick<Job, 'id' | 'host'>;

export interface ProgressOptions {
  /** Number of the last event that was read. */
  after: number;
  /** Also the text of a running model call, which is not stored. */
  deltas: boolean;
  reader: JobReader;
  /** Checked every 5 s: the stream ends once its reader may no longer see the job. */
  mayRead: () => Promise<boolean>;
}

/**
 * A job's events as they are stored, until the job is idle, the caller has left or the process
 * closes; null after 15 s without an event. Throws `unavailable` at once if too many streams are
 * open.
 */
export function jobProgress(
  deps: Pick<JobsDeps, 'config' | 'pool' | 'feed'>,
  job: Followed,
  options: ProgressOptions,
): AsyncGenerator<StoredEvent | TextDelta | null> {
  return follow(deps, job, options, deps.feed.watch(job.id, options.reader, options));
}

async function* follow(
  { config, pool }: Pick<JobsDeps, 'config' | 'pool'>,
  { id: jobId, host }: Followed,
  { after, mayRead }: ProgressOptions,
  watch: JobWatch,
): AsyncGenerator<StoredEvent | TextDelta | null> {
  let position = after;
  let spokeAt = Date.now();
  let askedAt = spokeAt;
  try {
    for (;;) {
      if (Date.now() - askedAt >= SAFETY_READ_MS) {
        if (!(await mayRead())) return;
        askedAt = Date.now();
      }
      yield* watch.takeDeltas(); // before the whole text that replaces them
      const progress = await readProgress(pool, jobId, position, BATCH);
      if (!progress) return;
      for (const stored of progress.events) {
        const { seq, event, at } = stored;
        yield 'prLink' in event
          ? {
              seq,
              event: { ...event, prLink: linkNow(config, host, event.prLink) } as JobEvent,
              at,
            }
          : stored;
        position = seq;
        spokeAt = Date.now();
      }
      if (position < progress.lastEvent && progress.events.length > 0) continue;
      if (progress.resting) return;
      if (Date.now() - spokeAt >= KEEP_ALIVE_MS) {
        yield null;
        spokeAt = Date.now();
      }
      if (!(await watch.next(SAFETY_READ_MS))) return;
    }
  } finally {
    watch.stop();
  }
}
