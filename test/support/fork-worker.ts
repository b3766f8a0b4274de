import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { JobStack } from './job-stack.ts';
import { testProgram } from './services.ts';

export interface WorkerProcess {
  child: ChildProcess;
  /** The activities that it registers. */
  types: string[];
}

/**
 * A worker of the stack in a process of its own, ready; `env` is what worker-child.ts knows.
 * Rejects where it ends before.
 */
export async function forkWorker(
  stack: Pick<JobStack, 'config' | 'bundlePath'>,
  env: Record<string, string> = {},
  stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'],
): Promise<WorkerProcess> {
  const child = fork(testProgram('worker'), [], {
    stdio,
    env: { PATH: process.env['PATH'], ...settingsOf(stack), BUNDLE_PATH: stack.bundlePath, ...env },
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('a worker ended before it was ready');
  });
  ended.catch(() => undefined); // later, a worker may end
  const [types] = (await Promise.race([once(child, 'message'), ended])) as [string[]];
  return { child, types };
}

/** The stack's configuration as the environment of a process. */
export function settingsOf(stack: Pick<JobStack, 'config'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(stack.config).map(([name, value]) => [name, String(value)]),
  );
}
