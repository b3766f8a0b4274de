import { endChildren } from '../embedded/child.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Waits for a signal to stop (then undefined) or for a failure (then its sentence). A second signal
 * ends the process, without waiting for anything but that its children have ended.
 */
export async function untilStopped(failed: Promise<string>): Promise<string | undefined> {
  const signalled = new Promise<undefined>(resolve => {
    let count = 0;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) void endChildren().finally(() => process.exit(1));
        resolve(undefined);
      });
    }
  });
  return await Promise.race([signalled, failed]);
}
