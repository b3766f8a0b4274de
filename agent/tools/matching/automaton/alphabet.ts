import {
  BEGIN_LINE,
  END_LINE,
  NO_WORD_BOUNDARY,
  type Program,
  type Ranges,
  WORD_BOUNDARY,
} from './program.ts';

const NEWLINE: Ranges = [10, 10];
const WORD: Ranges = [48, 57, 65, 90, 95, 95, 97, 122];
/** Comparisons of a class with a part of all code points. */
const MOST_COMPARISONS = 1_000_000;

/**
 * Characters that a program does not tell apart are one letter, so that a table needs one column
 * for all of them.
 */
export interface Alphabet {
  /** Letters of characters are below this number. */
  size: number;
  /** The letter that follows the last character. */
  end: number;
  /** The letter of every surrogate: that of its pair is `letterOf` its code point. */
  surrogate: number;
  /** By UTF-16 code unit. */
  letters: Uint16Array;
  letterOf(codePoint: number): number;
  /** 1 for the letters of which the ranges consist. */
  lettersIn(ranges: Ranges): Uint8Array;
  isNewline: Uint8Array;
  isWord: Uint8Array;
}

/** Undefined if it takes too long to find: there are hundreds of classes with hundreds of ranges. */
export function alphabetOf(program: Program): Alphabet | undefined {
  const classes = classesOf(program);
  const starts = partsBetween(classes);
  if (starts.length * classes.length > MOST_COMPARISONS) return undefined;
  const members = classes.map(ranges => membersOf(ranges, starts));
  const known = new Map<string, number>();
  /** A code point of each letter. */
  const samples: number[] = [];
  const letterOfPart = starts.map((start, part) => {
    const key = members.map(member => member[part]).join('');
    const letter = known.get(key) ?? samples.push(start) - 1;
    known.set(key, letter);
    return letter;
  });
  const size = samples.length;
  const letters = new Uint16Array(0x10000);
  for (const [part, letter] of letterOfPart.entries())
    letters.fill(letter, starts[part], starts[part + 1]);
  letters.fill(size + 1, 0xd800, 0xe000);
  return {
    ...{ size, end: size, surrogate: size + 1, letters },
    letterOf: codePoint => letterOfPart[partOf(codePoint, starts)] ?? 0,
    lettersIn: ranges => membersOf(ranges, samples),
    isNewline: membersOf(NEWLINE, samples),
    isWord: membersOf(WORD, samples),
  };
}

function classesOf({ instructions }: Program): Ranges[] {
  const classes = new Set<Ranges>();
  let needs = 0;
  for (const instruction of instructions) {
    if (instruction.kind === 'character') classes.add(instruction.ranges);
    if (instruction.kind === 'if') needs |= instruction.needs;
  }
  if ((needs & (BEGIN_LINE | END_LINE)) !== 0) classes.add(NEWLINE);
  if ((needs & (WORD_BOUNDARY | NO_WORD_BOUNDARY)) !== 0) classes.add(WORD);
  return [...classes];
}

/** Where each part of all code points starts, in order; every class consists of whole parts. */
function partsBetween(classes: readonly Ranges[]): number[] {
  const starts = new Set([0]);
  for (const ranges of classes)
    for (let i = 0; i < ranges.length; i += 2) {
      starts.add(ranges[i] ?? 0);
      starts.add((ranges[i + 1] ?? 0) + 1);
    }
  return [...starts].sort((a, b) => a - b);
}

/** 1 for each of the code points that is in the ranges. */
function membersOf(ranges: Ranges, codePoints: readonly number[]): Uint8Array {
  return Uint8Array.from(codePoints, codePoint => {
    let low = 0;
    let high = ranges.length / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[2 * middle + 1] ?? 0) < codePoint) low = middle + 1;
      else high = middle;
    }
    return (ranges[2 * low] ?? Infinity) <= codePoint ? 1 : 0;
  });
}

/** The number of the last part that starts at or before the code point. */
function partOf(codePoint: number, starts: readonly number[]): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= codePoint) low = middle;
    else high = middle - 1;
  }
  return low;
}
