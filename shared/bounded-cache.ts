/** Values by key, up to so much weight in all; the least recently used go first. */
export class BoundedCache<V> {
  readonly #values = new Map<string, V>();
  readonly #most: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  constructor(most: number, weigh: (value: V) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get weight(): number {
    return this.#weight;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  clear(): void {
    this.#values.clear();
    this.#weight = 0;
  }

  /** A value that is there stays: one key always has the same. */
  set(key: string, value: V): void {
    if (this.#values.has(key)) return;
    this.#values.set(key, value);
    this.#weight += this.#weigh(value);
    for (const [oldest, old] of this.#values) {
      if (this.#weight <= this.#most) break;
      this.#values.delete(oldest);
      this.#weight -= this.#weigh(old);
    }
  }
}
