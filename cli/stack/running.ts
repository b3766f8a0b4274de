import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../../shared/errors.ts';
import { isProcess } from '../embedded/process.ts';

/** What other commands need to know of the `docent start` that runs on a data folder. */
export interface RunningStack {
  pid: number;
  baseUrl: string;
  databaseUrl: string;
  temporalAddress: string;
  localHostUrl: string;
  localHostToken: string;
}

export interface DataFolderLock {
  /** Announces to other commands that the stack is ready, with its addresses. */
  announce(stack: Omit<RunningStack, 'pid'>): void;
  release(): void;
}

/** In a data folder that a restore has not filled yet. */
export const UNFINISHED_RESTORE = 'restore-unfinished';

const fileOf = (dataDir: string) => join(dataDir, 'running.json');

/**
 * The stack that runs on a data folder, or undefined. Throws `ConfigError` while it is still
 * starting.
 */
export function findRunning(dataDir: string): RunningStack | undefined {
  const state = read(dataDir);
  if (!state || !isAlive(state.pid)) return undefined;
  if (state.baseUrl === undefined)
    throw new ConfigError(
      `docent is still starting on ${dataDir} (process ${state.pid}); try again in a moment.`,
    );
  return state as RunningStack;
}

/**
 * Locks the data folder for this process. Throws `ConfigError` if another process has the lock, or
 * if a restore into the folder did not finish. The lock of a dead process is taken over.
 */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  await makeDataFolder(dataDir);
  if (existsSync(join(dataDir, UNFINISHED_RESTORE)))
    throw new ConfigError(
      `A restore into ${dataDir} did not finish. Remove the folder and restore again.`,
    );
  const file = fileOf(dataDir);
  const claim = (flag: 'wx' | 'w', state: object) =>
    writeFileSync(file, `${JSON.stringify({ pid: process.pid, ...state }, null, 2)}\n`, {
      mode: 0o600,
      flag,
    });
  if (!tryClaim(claim)) {
    const other = read(dataDir);
    if (other && isAlive(other.pid)) {
      throw new ConfigError(
        `Docent is already running on ${dataDir} ` +
          `(process ${other.pid}${other.baseUrl ? `, ${other.baseUrl}` : ''}). ` +
          'Stop it first, or set DATA_DIR to another folder.',
      );
    }
    rmSync(file, { force: true });
    tryClaim(claim);
    // Two starts may have removed the dead one's file at once: the later removal wins.
    await delay(50);
    if (read(dataDir)?.pid !== process.pid)
      throw new ConfigError(`Another Docent has just started on ${dataDir}.`);
  }
  return {
    announce: stack => claim('w', stack),
    release: () => rmSync(file, { force: true }),
  };
}

/**
 * Root's data folder can be traversed but not listed: Postgres refuses to run as root and has its
 * own part of it.
 */
async function makeDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `DATA_DIR must be a folder that can be written; got "${dataDir}" (${error.code}).`,
    );
  });
  if (userInfo().uid === 0) await chmod(dataDir, 0o711);
}

function tryClaim(claim: (flag: 'wx', state: object) => void): boolean {
  try {
    claim('wx', {});
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(dataDir: string): (Partial<RunningStack> & { pid: number }) | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<RunningStack> & {
      pid: number;
    };
  } catch {
    return undefined;
  }
}

/** Our own process id in an old file means that a container was restarted. */
function isAlive(pid: number): boolean {
  return pid !== process.pid && isProcess(pid, 'docent');
}
