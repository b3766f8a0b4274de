/**
 * Runs `work` every so often until it is stopped, never two runs at once: what comes due meanwhile
 * is left out.
 * `stop` tells the run under way, and waits for it: it still needs its connections.
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
