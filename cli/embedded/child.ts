import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailure } from '../output/failure.ts';
import { boundLog } from './bounded-log.ts';

export interface ChildOptions {
  command: string;
  args: string[];
  /** Everything that the child prints; of this start alone, unless `keepLog`. */
  logFile: string;
  keepLog?: boolean;
  /** The child's whole environment. Ours contains keys and passwords. */
  env: NodeJS.ProcessEnv;
  /** By default `/`: a server needs none, and would keep a disk from being unmounted. */
  cwd?: string;
  /** Gets what the child says by `process.send`; without it there is no channel. */
  onMessage?: (message: unknown) => void;
  /** Another user to run as; only root may ask for one. */
  owner?: { uid: number; gid: number };
}

export interface Child {
  pid: number;
  /** Where in its log file this start begins, in bytes. */
  logStart: number;
  /** Says something to the child, over its channel. */
  send(message: object): void;
  /** Its exit status, null after a signal; settles when the process is gone, whatever ended it. */
  exited: Promise<number | null>;
  /**
   * Asks it to end. After `patienceMs` (default: ten seconds) ends it at once, with the processes
   * that it has started. Returns when it has ended; safe to call again.
   */
  stop(patienceMs?: number): Promise<void>;
}

const PATIENCE_MS = 10_000;
const BOUND_LOG_EVERY_MS = 60_000;

/** How to end each child that runs. */
const running = new Set<Child['stop']>();
/** Those that are not among these yet. */
const starting = new Set<Promise<Child>>();
let isOver = false;

/**
 * Ends all children, by default at once, without what they would still like to write. None is
 * started again.
 */
export async function endChildren(patienceMs = 0): Promise<void> {
  isOver = true;
  await Promise.allSettled(starting);
  await Promise.all([...running].map(stop => stop(patienceMs)));
}

/**
 * A shell that waits for our end of a pipe to close, which happens however we end (SIGKILL
 * included), and then ends the child as `stop` does. Node offers no parent-death signal, and a pipe
 * needs no polling.
 */
const GUARD =
  'trap "" INT TERM HUP; read -r _; ' +
  'for signal in INT QUIT KILL; do kill -$signal "$1"; n=0; ' +
  'while kill -0 "$1" && [ $n -lt 50 ]; do sleep 0.2; n=$((n+1)); done; done';

/** Starts a server that lives no longer than this process does. */
export async function startChild(options: ChildOptions): Promise<Child> {
  if (isOver) throw new Error(`${options.command} was not started: this process ends.`);
  const start = spawnChild(options);
  starting.add(start);
  return await start.finally(() => starting.delete(start));
}

async function spawnChild(options: ChildOptions): Promise<Child> {
  await mkdir(dirname(options.logFile), { recursive: true });
  if (!options.keepLog) await rm(options.logFile, { force: true });
  // To append, so that it can be cut while the child writes.
  const log = openSync(options.logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  // A process group of its own: Ctrl-C in the terminal reaches us, and we stop the children in
  // order.
  const child = spawn(options.command, options.args, {
    cwd: options.cwd ?? '/',
    detached: true,
    stdio: ['ignore', log, log, ...(options.onMessage ? (['ipc'] as const) : [])],
    env: options.env,
    ...options.owner,
  });
  closeSync(log);
  if (options.onMessage) child.on('message', options.onMessage);
  await started(child, options.command);
  const pid = child.pid as number;
  const guard = spawn('/bin/sh', ['-c', GUARD, 'docent-guard', String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  guard.on('error', () => undefined);
  guard.unref();
  const bounding = setInterval(() => boundLog(options.logFile), BOUND_LOG_EVERY_MS).unref();
  const exited = new Promise<number | null>(resolve =>
    child.once('exit', status => {
      clearInterval(bounding);
      guard.kill('SIGKILL'); // the process id is free for others from now on
      running.delete(stop);
      resolve(status);
    }),
  );
  const stop = (patienceMs = PATIENCE_MS) => end(child, exited, patienceMs);
  running.add(stop);
  // To one that has ended, nothing: it is noticed by its end.
  const send = (message: object) => void child.send(message, () => undefined);
  return { pid, logStart, send, exited, stop };
}

async function started(child: ChildProcess, command: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', error => reject(new Error(`${command} did not start: ${error.message}`)));
  });
}

/**
 * SIGQUIT comes before SIGKILL: on it, Postgres ends its own processes before it exits. On SIGKILL
 * it leaves them behind, and they continue to write.
 */
async function end(
  child: ChildProcess,
  exited: Promise<unknown>,
  patienceMs: number,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (patienceMs > 0) child.kill('SIGINT');
  const timers = [
    setTimeout(() => child.kill('SIGQUIT'), patienceMs),
    setTimeout(() => child.kill('SIGKILL'), patienceMs + PATIENCE_MS),
  ];
  await exited;
  for (const timer of timers) clearTimeout(timer);
}

/**
 * Waits until `ready` answers true. Stops the child, which nobody else knows of yet, where `ready`
 * rejects, the child ends first or `timeoutMs` passes; says so with the end of its log.
 */
export async function waitUntilReady(
  name: string,
  child: Child,
  logFile: string,
  ready: () => Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  let ended = false;
  void child.exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + timeoutMs;
  try {
    while (!(await ready())) {
      if (ended || Date.now() > deadline) {
        throw await failure(
          `${name} ${ended ? 'ended while it was starting' : 'did not become ready'}`,
          logFile,
          child.logStart,
        );
      }
      await delay(50);
    }
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** What happened, with the end of what the child has logged from `logStart` on. */
export async function failure(
  what: string,
  logFile: string,
  logStart = 0,
): Promise<CommandFailure> {
  const bytes = await readFile(logFile).catch(() => Buffer.alloc(0));
  const isCut = bytes.length < logStart; // it had become too long
  const tail = bytes
    .subarray(isCut ? 0 : logStart)
    .toString()
    .trimEnd()
    .split('\n')
    .slice(-8)
    .join('\n');
  return new CommandFailure(`${what}; its log (${logFile}) ends with:\n${tail}`);
}
