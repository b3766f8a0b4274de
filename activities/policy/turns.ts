import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which the process answers others. */
const MOST_AT_ONCE_MS = 15;

/** For long work in a loop: waits if it is the others' turn. */
export function takingTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MOST_AT_ONCE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
