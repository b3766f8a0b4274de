import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailure } from '../output/failure.ts';

export interface ChildOptions {
  command: string;
  args: string[];
  /** Everything that the child prints, one start's worth. */
  logFile: string;
  /** The child's whole environment; ours where absent. */
  env?: NodeJS.ProcessEnv;
  /** Another user to run as; only root may ask for one. */
  owner?: { uid: number; gid: number };
}

export interface Child {
  pid: number;
  /** Settles when the process is gone, whatever ended it. */
  exited: Promise<void>;
  /** Asks it to end, and kills it after ten seconds; safe to call again. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 10_000;

/**
 * A shell that waits for our end of a pipe to close, which happens however we end (SIGKILL
 * included), and then ends the child. Node offers no parent-death signal, and a pipe needs no
 * polling.
 */
const GUARD =
  'trap "" INT TERM HUP; read -r _; kill -INT "$1"; n=0; ' +
  'while kill -0 "$1" && [ $n -lt 50 ]; do sleep 0.2; n=$((n+1)); done; kill -KILL "$1"';

/** Starts a server that lives no longer than this process does. */
export async function startChild(options: ChildOptions): Promise<Child> {
  await mkdir(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'w', 0o600);
  // A process group of its own: Ctrl-C in the terminal reaches us, and we stop the children in
  // order.
  const child = spawn(options.command, options.args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    ...(options.env && { env: options.env }),
    ...options.owner,
  });
  closeSync(log);
  await started(child, options.command);
  const pid = child.pid as number;
  const guard = spawn('/bin/sh', ['-c', GUARD, 'docent-guard', String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.unref();
  const exited = new Promise<void>(resolve =>
    child.once('exit', () => {
      guard.kill('SIGKILL'); // the process id is free for others from now on
      resolve();
    }),
  );
  return { pid, exited, stop: () => stop(child, exited) };
}

async function started(child: ChildProcess, command: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', error => reject(new Error(`${command} did not start: ${error.message}`)));
  });
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
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
        const text = await readFile(logFile, 'utf8').catch(() => '');
        const tail = text.trimEnd().split('\n').slice(-8).join('\n');
        throw new CommandFailure(
          `${name} ${ended ? 'ended while it was starting' : 'did not become ready'}; its log (${logFile}) ends with:\n${tail}`,
        );
      }
      await delay(50);
    }
  } catch (error) {
    await child.stop();
    throw error;
  }
}
