import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { JobStack } from '../../support/job-stack.ts';

/** Workers in processes of their own, to be killed without warning. */
export interface Workers {
  /** SIGKILLs the oldest; another takes its place. */
  kill(): void;
  kills(): number;
  stop(): Promise<void>;
}

export async function startWorkers(stack: JobStack, count: number): Promise<Workers> {
  const settings = Object.fromEntries(Object.entries(stack.config).map(([name, value]) => [name, String(value)]));
  const running: ChildProcess[] = [];
  const starting = new Set<Promise<void>>();
  let kills = 0;
  const start = (): Promise<void> => {
    const child = fork(join(import.meta.dirname, '../../support/worker-child.ts'), [], {
      execArgv: ['--import', 'tsx'], env: { PATH: process.env['PATH'], ...settings, BUNDLE_PATH: stack.bundlePath },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'], // of what its kind leaves behind, a worker has a lot to say
    });
    running.push(child);
    const ready = Promise.race([once(child, 'message'), once(child, 'exit').then(() => { if (starting.has(ready)) throw new Error('a worker did not start'); })]).then(() => undefined);
    starting.add(ready);
    return ready.finally(() => starting.delete(ready));
  };
  await Promise.all(Array.from({ length: count }, start));
  return {
    kill() {
      // One that is still starting has nothing to lose; two deaths at once would only make everybody wait.
      if (starting.size > 0) return;
      running.shift()?.kill('SIGKILL');
      kills += 1;
      void start();
    },
    kills: () => kills,
    async stop() {
      await Promise.all(starting);
      const ended = Promise.all(running.map(child => once(child, 'exit')));
      for (const child of running) child.kill('SIGKILL');
      await ended;
    },
  };
}
