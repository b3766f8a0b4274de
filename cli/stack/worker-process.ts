import { join } from 'node:path';
import { startChild, waitUntilReady } from '../embedded/child.ts';
import type { ConnectedConfig, Env } from '../connect/settings.ts';
import type { Part } from './supervise.ts';
import { workerEnvironment } from './worker-environment.ts';

const DOCENT = join(import.meta.dirname, '..', '..', 'bin', 'docent.mjs');
const POLLS = 'polls';
const READY_MS = 180_000;
/** Beyond the grace time; the SDK gives up on what does not end after 15 seconds. */
const FORCED_AFTER_MS = 20_000;

export interface WorkerProcess extends Part {
  /** Rejects, with the end of its log, where the worker ends before. */
  untilItPolls(): Promise<void>;
}

/**
 * Starts `docent worker` in a process of its own, so that nothing that it does holds the event loop
 * of the API. It works in our folder, where paths in settings may begin.
 */
export async function startWorkerProcess(
  config: ConnectedConfig,
  env: Env,
): Promise<WorkerProcess> {
  let polls = false;
  const logFile = join(config.DATA_DIR, 'logs', 'worker.log');
  const child = await startChild({
    command: process.execPath,
    args: [DOCENT, 'worker'],
    logFile,
    keepLog: true,
    env: workerEnvironment(config, env),
    cwd: process.cwd(),
    onMessage: message => {
      polls ||= message === POLLS;
    },
  });
  const patienceMs = config.WORKER_SHUTDOWN_GRACE_SECONDS * 1000 + FORCED_AFTER_MS;
  return {
    ended: child.exited,
    stop: () => child.stop(patienceMs),
    untilItPolls: () => waitUntilReady('The worker', child, logFile, async () => polls, READY_MS),
  };
}

/**
 * In that process: says that the worker polls, and ends it at once if our parent is gone. What a
 * worker needs to drain, such as Postgres, ends then too, and the next start may come any moment.
 */
export function reportToParent(): void {
  if (!process.send) return; // started by hand
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref(); // it keeps nobody waiting
  process.send(POLLS);
}
