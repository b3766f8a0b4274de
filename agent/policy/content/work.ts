/**
 * Characters that may be looked at for one file, some of them again and again. Most pages need as
 * many as they have; what needs more than a hundred times that is made to be slow.
 */
const MOST_CHARACTERS = 100_000_000;

/** A file cannot be judged with the work that it is worth. */
export class TooComplex extends Error {
  constructor() {
    super('It has more nested marks than can be judged.');
  }
}

/** One file is judged at a time in a thread, from beginning to end. */
let left = 0;

export function beginFile(): void {
  left = MOST_CHARACTERS;
}

/** Counts work whose sum is not bounded by a file's size. Throws `TooComplex` when it is too much. */
export function countWork(characters: number): void {
  left -= characters;
  if (left < 0) throw new TooComplex();
}
