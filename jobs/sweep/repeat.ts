import { once } from 'node:events';

/**
 * Runs `work` every `everyMs` until it is stopped, never two runs at once: a run that comes due
 * meanwhile is skipped. `run` begins one now. `stop` signals the current run and waits for it,
 * since it still needs its connections.
 */
export function repeat(
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): { run(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  let current: Promise<void> | undefined;
  const run = (): void => {
    current ??= work(stopping.signal)
      .catch(onError)
      .finally(() => {
        current = undefined;
      });
  };
  const timer = setInterval(run, everyMs);
  timer.unref();
  return {
    run,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await current;
    },
  };
}

/**
 * `work`, or an error as soon as the server stops: Temporal's client tries to reach a server that
 * is away until its deadline, aborted or not.
 */
export async function orStopping<T>(stopping: AbortSignal, work: () => Promise<T>): Promise<T> {
  stopping.throwIfAborted();
  const done = new AbortController();
  const stopped = once(stopping, 'abort', { signal: done.signal }).then(() => {
    throw new Error('the server stops');
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    done.abort();
  }
}
