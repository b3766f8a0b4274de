/** Where a pattern matches next, found out once for all offsets before it. */
export class NextMatch {
  readonly #text: string;
  readonly #pattern: RegExp;
  #from = Infinity;
  #found: number | undefined;

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The offset of the first match at `at` or behind it; undefined if there is none. */
  after(at: number): number | undefined {
    if (at < this.#from || (this.#found !== undefined && at > this.#found)) {
      this.#pattern.lastIndex = at;
      this.#from = at;
      this.#found = this.#pattern.exec(this.#text)?.index;
    }
    return this.#found;
  }
}
