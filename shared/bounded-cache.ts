interface Kept<V> {
  value: V;
  usedAt: number;
}

/**
 * Values by key, up to so much weight in all; the least recently used go first, and with each new
 * value those that nobody has used for `unusedMs`.
 */
export class BoundedCache<V> {
  readonly #kept = new Map<string, Kept<V>>();
  readonly #most: number;
  readonly #weigh: (value: V) => number;
  readonly #unusedMs: number;
  #weight = 0;

  constructor(most: number, weigh: (value: V) => number, unusedMs = Infinity) {
    this.#most = most;
    this.#weigh = weigh;
    this.#unusedMs = unusedMs;
  }

  get weight(): number {
    return this.#weight;
  }

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  get(key: string): V | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    kept.usedAt = Date.now();
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  clear(): void {
    this.#kept.clear();
    this.#weight = 0;
  }

  /** A value that is there stays: one key always has the same. */
  set(key: string, value: V): void {
    if (this.#kept.has(key)) return;
    const usedAt = Date.now();
    this.#kept.set(key, { value, usedAt });
    this.#weight += this.#weigh(value);
    for (const [oldest, old] of this.#kept) {
      if (this.#weight <= this.#most && old.usedAt >= usedAt - this.#unusedMs) break;
      this.#kept.delete(oldest);
      this.#weight -= this.#weigh(old.value);
    }
  }
}

/** For what belongs to a job: one that rests needs nothing, and one that continues reads it again. */
export const UNUSED_BY_A_JOB_MS = 10 * 60_000;
