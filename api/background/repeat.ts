/**
 * Runs `work` every `everyMs` until it is stopped, never two runs at once: a run that comes due
 * meanwhile is skipped. `stop` signals the current run and waits for it, since it still needs its
 * connections.
 */
export function repeat(
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let run: Promise<void> | undefined;
  const timer = setInterval(() => {
    run ??= work(stopping.signal)
      .catch(onError)
      .finally(() => {
        run = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await run;
    },
  };
}
