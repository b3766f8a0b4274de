import { endChildren } from '../embedded/child.ts';
import { CommandFailure } from '../output/failure.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Waits for a signal to stop (then undefined) or for a failure (then its sentence). A second signal
 * ends the process as soon as its children have ended, without waiting for anything else.
 */
export async function untilStopped(failed?: Promise<string>): Promise<string | undefined> {
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
  return await (failed ? Promise.race([signalled, failed]) : signalled);
}

/** Runs the API or a worker until a signal, or until it fails: then throws `CommandFailure`. */
export async function runUntilStopped(running: {
  failed?: Promise<Error>;
  stop(): Promise<void>;
}): Promise<void> {
  const reason = await untilStopped(running.failed?.then(error => error.message));
  await running.stop();
  if (reason) throw new CommandFailure(reason);
}
