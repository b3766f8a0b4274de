/** Lets a bounded number of tasks run at once; the rest wait their turn, in order. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(width: number) {
    this.#free = width;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
