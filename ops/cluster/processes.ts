import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, failure, startChild, waitUntilReady } from '../../cli/embedded/child.ts';
import type { Part } from '../../cli/stack/supervise.ts';
import type { Planned } from './plan.ts';

const DOCENT = join(import.meta.dirname, '..', '..', 'bin', 'docent.mjs');
/** As `on-failure:6` in docker-compose.yml. */
const ATTEMPTS = 7;
const READY_MS = 180_000;

export interface RunningProcess extends Part {
  pid: number;
}

export interface Place {
  /** Logs are in here. */
  folder: string;
  /** What a process finds programs by. */
  path: string;
}

/** `docent migrate`, `docent api`, `docent worker` of this checkout. */
export function docentCommand({ args }: Planned): { command: string; args: string[] } {
  return { command: process.execPath, args: [DOCENT, ...args] };
}

/** Runs a service that ends: again if it fails, as its `restart` says. Throws with its log. */
export async function runToEnd(
  planned: Planned,
  { command, args }: { command: string; args: string[] },
  place: Place,
): Promise<void> {
  const log = logFile(place, planned.name);
  for (let attempt = 1; ; attempt++) {
    const child = await startChild({
      command,
      args,
      logFile: log,
      env: environment(planned, place),
    });
    if ((await child.exited) === 0) return;
    if (attempt === ATTEMPTS) throw await failure(`${planned.name} failed`, log);
    await delay(1_000);
  }
}

/** Starts a service that stays, and returns when `isReady`. */
export async function startProcess(
  planned: Planned,
  { command, args }: { command: string; args: string[] },
  place: Place,
  isReady: () => Promise<boolean>,
  patienceMs?: number,
): Promise<RunningProcess> {
  const log = logFile(place, planned.name);
  const child: Child = await startChild({
    command,
    args,
    logFile: log,
    env: environment(planned, place),
  });
  await waitUntilReady(planned.name, child, log, isReady, READY_MS);
  return { pid: child.pid, ended: child.exited, stop: () => child.stop(patienceMs) };
}

/** Whether a health check answers 200. */
export async function answers(url: string): Promise<boolean> {
  return await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function logFile({ folder }: Place, name: string): string {
  return join(folder, 'logs', `${name}.log`);
}

function environment({ env }: Planned, { folder, path }: Place): Record<string, string> {
  return { PATH: path, HOME: folder, LC_ALL: 'C', TZ: 'UTC', ...env };
}
