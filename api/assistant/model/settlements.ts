import type { Log } from '../../../shared/logger.ts';
import { isPassing } from '../../../jobs/outage.ts';
import { untilItWorks } from '../../../shared/until-it-works.ts';

/** The settlements of calls that have ended: each is repeated until it is stored. */
export class Settlements {
  readonly #log: Log;
  readonly #open = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Resolves once it is stored or is to be repeated, so that no reader waits for an outage. */
  settle(work: () => Promise<void>): Promise<void> {
    return new Promise(resolve => {
      const settled = untilItWorks(work, {
        passes: isPassing,
        onFailure: error => {
          this.#log.warn({ err: error }, 'a model call is not settled yet');
          resolve();
        },
        signal: this.#closing.signal,
      })
        .catch((error: unknown) =>
          this.#log.error({ err: error }, 'a model call is left to the sweep'),
        )
        .finally(() => {
          this.#open.delete(settled);
          resolve();
        });
      this.#open.add(settled);
    });
  }

  /** Tries once more what is not stored; the sweep of another process closes the rest. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#open);
  }
}
