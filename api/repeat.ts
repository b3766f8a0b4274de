/** Runs `work` every so often, one run after the other, until it is stopped; `stop` waits for the run under way, which still needs its connections. */
export function repeat(everyMs: number, work: () => Promise<void>, onError: (error: unknown) => void): { stop(): Promise<void> } {
  let run = Promise.resolve();
  const timer = setInterval(() => { run = run.then(work).catch(onError); }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await run;
    },
  };
}
