const PIECES = 64;

/**
 * A text that comes in words. With `+=` each of them stays a string of its own, with 32 bytes to
 * join it, for as long as the whole does; here they are joined by the dozen.
 */
export class GrowingText {
  #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length === PIECES) this.#pieces = [this.toString()];
  }

  toString(): string {
    return this.#pieces.join('');
  }
}
