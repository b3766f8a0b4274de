import { once } from 'node:events';
import { join } from 'node:path';
import type { Config } from '../../shared/config.ts';
import type { ConnectedConfig, Env } from '../connect/settings.ts';
import { startChild, waitUntilReady } from '../embedded/child.ts';
import type { Part } from './supervise.ts';
import { workerEnvironment, workerSettings } from './worker-settings.ts';

const DOCENT = join(import.meta.dirname, '..', '..', 'bin', 'docent.mjs');
const POLLS = 'polls';
const READY_MS = 180_000;
/** Beyond the grace time; the SDK gives up on what does not end after 15 seconds. */
const FORCED_AFTER_MS = 20_000;

export interface WorkerProcess extends Part {
  /** Lets it work. Rejects, with the end of its log, where it ends before it polls. */
  work(config: ConnectedConfig): Promise<void>;
}

/**
 * Starts `docent worker` in a process of its own, so that nothing that it does holds the event loop
 * of the API. It gets its settings by `work`, over a channel that nobody else reads: it loads its
 * code for a second, and in that time its services can start. It works in our folder, where paths
 * in settings may begin.
 */
export async function startWorkerProcess(
  config: Config,
  env: Env,
  log = 'worker.log',
): Promise<WorkerProcess> {
  let polls = false;
  const logFile = join(config.DATA_DIR, 'logs', log);
  const child = await startChild({
    command: process.execPath,
    args: [DOCENT, 'worker', '--settings-from-parent'],
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
    async work(connected) {
      child.send(workerSettings(connected));
      await waitUntilReady('The worker', child, logFile, async () => polls, READY_MS);
    },
  };
}

/**
 * In that process: its settings, as soon as the parent knows them. From now on it ends at once if
 * the parent is gone: what a worker needs to drain, such as Postgres, ends then too, and the next
 * start may come any moment.
 */
export async function settingsFromParent(): Promise<Env> {
  process.once('disconnect', () => process.exit(1));
  const [settings] = (await once(process, 'message')) as [Env];
  process.channel?.unref(); // it keeps nobody waiting
  return settings;
}

export function tellParentThatWePoll(): void {
  process.send?.(POLLS);
}
