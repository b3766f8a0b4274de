/**
 * Characters on both sides of a change: more than the longest keys have (13,000: RSA with 16,384
 * bits, as PEM), and rules look beside a value.
 */
const AROUND = 20_000;

/** A part of a text, and the 1-based line on which it begins. */
export interface Part {
  text: string;
  line: number;
}

/**
 * The part of a text that can hold a secret which `before` lacks: from the first change to the last,
 * and what is around them. A value that stands elsewhere is the same in `before`.
 */
export function changedPart(text: string, before: string): Part {
  const most = Math.min(text.length, before.length);
  let same = 0;
  while (same < most && text.charCodeAt(same) === before.charCodeAt(same)) same += 1;
  let sameAtEnd = 0;
  while (
    sameAtEnd < most - same &&
    text.charCodeAt(text.length - 1 - sameAtEnd) ===
      before.charCodeAt(before.length - 1 - sameAtEnd)
  )
    sameAtEnd += 1;
  const start = Math.max(0, same - AROUND);
  return {
    text: text.slice(start, text.length - sameAtEnd + AROUND),
    line: text.slice(0, start).split('\n').length,
  };
}
