/** Texts by blob id, up to so many characters in all; the least recently used go first. */
export class TextCache {
  readonly #texts = new Map<string, string>();
  readonly #most: number;
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get characters(): number {
    return this.#characters;
  }

  has(blob: string): boolean {
    return this.#texts.has(blob);
  }

  get(blob: string): string | undefined {
    const text = this.#texts.get(blob);
    if (text !== undefined) {
      this.#texts.delete(blob);
      this.#texts.set(blob, text);
    }
    return text;
  }

  set(blob: string, text: string): void {
    if (this.#texts.has(blob)) return;
    this.#texts.set(blob, text);
    this.#characters += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#characters <= this.#most) break;
      this.#texts.delete(oldest);
      this.#characters -= length;
    }
  }
}
