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
