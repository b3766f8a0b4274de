import { readProgress, type StoredEvent } from '../../shared/db/events.ts';
import type { AgentDeps } from './deps.ts';

const BATCH = 500;
/** A notification can be missed; whoever reads along looks again after this long at the latest. */
const SAFETY_READ_MS = 5_000;
/** Under the 30 to 60 s after which proxies give up on a silent connection. */
const KEEP_ALIVE_MS = 15_000;

/**
 * A job's events after number `after`, as they are stored, until the job rests, the caller has gone or the process closes;
 * null when there has been nothing for 15 s. Throws `unavailable` at once where too many read along already.
 */
export function jobProgress(deps: Pick<AgentDeps, 'pool' | 'feed'>, jobId: string, after: number, signal: AbortSignal): AsyncGenerator<StoredEvent | null> {
  return follow(deps, jobId, after, signal, deps.feed.watch(jobId));
}

async function* follow(
  { pool }: Pick<AgentDeps, 'pool'>, jobId: string, after: number, signal: AbortSignal, watch: ReturnType<AgentDeps['feed']['watch']>,
): AsyncGenerator<StoredEvent | null> {
  let position = after;
  let spokeAt = Date.now();
  try {
    for (;;) {
      const progress = await readProgress(pool, jobId, position, BATCH);
      if (!progress) return;
      for (const stored of progress.events) {
        yield stored;
        position = stored.seq;
        spokeAt = Date.now();
      }
      if (position < progress.lastEvent && progress.events.length > 0) continue;
      if (progress.resting) return;
      if (Date.now() - spokeAt >= KEEP_ALIVE_MS) {
        yield null;
        spokeAt = Date.now();
      }
      if (!await watch.next(SAFETY_READ_MS, signal)) return;
    }
  } finally {
    watch.stop();
  }
}
