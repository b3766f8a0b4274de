import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkWorker } from '../../support/fork-worker.ts';
import type { JobStack } from '../../support/job-stack.ts';

/** Workers in processes of their own, to be killed without warning. */
export interface Workers {
  /**
   * SIGKILLs the oldest, and another takes its place. False where one is just starting: it has
   * nothing to lose, and two deaths at once would only make everybody wait.
   */
  kill(): boolean;
  stop(): Promise<void>;
}

export async function startWorkers(stack: JobStack, count: number): Promise<Workers> {
  const running: ChildProcess[] = [];
  const starting = new Set<Promise<void>>();
  const start = (): Promise<void> => {
    // Of what its kind leaves behind, a worker has a lot to say.
    const ready = forkWorker(stack, {}, ['ignore', 'ignore', 'ignore', 'ipc']).then(({ child }) => {
      running.push(child);
    });
    starting.add(ready);
    return ready.finally(() => starting.delete(ready));
  };
  await Promise.all(Array.from({ length: count }, start));
  return {
    kill() {
      if (starting.size > 0) return false;
      running.shift()?.kill('SIGKILL');
      void start();
      return true;
    },
    async stop() {
      await Promise.all(starting);
      const ended = Promise.all(running.map(child => once(child, 'exit')));
      for (const child of running) child.kill('SIGKILL');
      await ended;
    },
  };
}
