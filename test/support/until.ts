import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `what` has come about, at most `timeoutMs`; then throws an error that says what has
 * not. A condition that throws counts as no.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; await sleep(50)) {
    let cause: unknown;
    try {
      if (await condition()) return;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > end)
      throw new Error(`after ${timeoutMs / 1000} s still not: ${what}`, { cause });
  }
}
