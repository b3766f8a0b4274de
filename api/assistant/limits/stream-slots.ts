import type { Config } from '../../../shared/config.ts';

/**
 * How many answers this process streams at once, in all and for each key: a public key must not
 * take them all.
 */
export class StreamSlots {
  readonly #limits: { all: number; key: number };
  readonly #perKey = new Map<string, number>();
  #all = 0;

  constructor(config: Config) {
    this.#limits = { all: config.ASSISTANT_MAX_STREAMS, key: config.ASSISTANT_MAX_STREAMS_PER_KEY };
  }

  /** Takes a place until `over` aborts; false where none is free. */
  take(keyId: string, over: AbortSignal): boolean {
    const ofKey = this.#perKey.get(keyId) ?? 0;
    if (this.#all >= this.#limits.all || ofKey >= this.#limits.key) return false;
    if (over.aborted) return true; // given back already: its event will not come again
    this.#all += 1;
    this.#perKey.set(keyId, ofKey + 1);
    over.addEventListener('abort', () => this.#giveBack(keyId), { once: true });
    return true;
  }

  #giveBack(keyId: string): void {
    this.#all -= 1;
    const left = (this.#perKey.get(keyId) ?? 1) - 1;
    if (left === 0) this.#perKey.delete(keyId);
    else this.#perKey.set(keyId, left);
  }
}
