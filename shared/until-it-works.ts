import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/**
 * Repeats `work` until it works: at first after half a second, later every ten. Rejects with its
 * error unless it `passes`, or once `signal` has aborted. `onFailure` gets each failure that
 * is waited out.
 */
export async function untilItWorks<T>(
  work: () => Promise<T>,
  {
    passes,
    onFailure,
    signal,
  }: {
    passes: (error: unknown) => boolean;
    onFailure: (error: unknown) => void;
    signal?: AbortSignal;
  },
): Promise<T> {
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 2, LONGEST_MS)) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || !passes(error)) throw error;
      onFailure(error);
      // An abort ends the wait; the next failure is the last.
      await delay(wait, undefined, { ...(signal && { signal }) }).catch(() => undefined);
    }
  }
}
