import type { Config } from '../../shared/config.ts';

/** How many answers this process streams at once, in all and for each key: a public key must not take them all. */
export class StreamSlots {
  readonly #limits: { all: number; key: number };
  readonly #perKey = new Map<string, number>();
  #all = 0;

  constructor(config: Config) {
    this.#limits = { all: config.ASSISTANT_MAX_STREAMS, key: config.ASSISTANT_MAX_STREAMS_PER_KEY };
  }

  /** Takes a place and returns what gives it back (once, however often it is called); undefined where none is free. */
  take(keyId: string): (() => void) | undefined {
    const ofKey = this.#perKey.get(keyId) ?? 0;
    if (this.#all >= this.#limits.all || ofKey >= this.#limits.key) return undefined;
    this.#all += 1;
    this.#perKey.set(keyId, ofKey + 1);
    let free = false;
    return () => {
      if (free) return;
      free = true;
      this.#all -= 1;
      const left = (this.#perKey.get(keyId) ?? 1) - 1;
      if (left === 0) this.#perKey.delete(keyId);
      else this.#perKey.set(keyId, left);
    };
  }
}
