import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../shared/logger.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A part that lasted so long had a good start: the next waits are short again. */
const STEADY_MS = 60_000;

export interface Part {
  /** Settles when the part has ended, whatever ended it. */
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Keeps a part running: whenever it ends by itself, it is started again, after a wait that doubles
 * from half a second to half a minute. Both are said in the log. `again` gets a signal to give up
 * its start. Returns how to stop the part.
 */
export function supervise(
  name: string,
  first: Part,
  again: (stopping: AbortSignal) => Promise<Part>,
  log: () => Pick<Logger, 'error' | 'info'> | undefined,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let part: Part | undefined = first;
  let wait = FIRST_WAIT_MS;
  const stopped = once(stopping.signal, 'abort');
  const watched = watch();
  return {
    async stop() {
      stopping.abort();
      await part?.stop();
      await watched;
    },
  };

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const began = Date.now();
      const reason = await Promise.race([part?.ended, stopped]);
      if (stopping.signal.aborted) return;
      if (part && Date.now() - began > STEADY_MS) wait = FIRST_WAIT_MS;
      part = undefined;
      log()?.error({ part: name, reason: said(reason), waitMs: wait }, `${name} ended by itself`);
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      await restart();
    }
  }

  async function restart(): Promise<void> {
    if (stopping.signal.aborted) return;
    const started = await again(stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted)
        log()?.error({ part: name, err: error }, `${name} could not be started again`);
      return undefined;
    });
    part = started;
    if (!started) return;
    if (stopping.signal.aborted) await started.stop();
    else log()?.info({ part: name }, `${name} was started again`);
  }
}

function said(reason: unknown): unknown {
  return reason instanceof Error ? reason.message : reason;
}
