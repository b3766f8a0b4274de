import type { Instruction, Program, Ranges } from './program.ts';
import type { NextStart } from './scan.ts';

const MOST_CHARACTERS = 16;
/** A call of the search costs as much as the automaton takes for so many characters. */
const CALL = 16;
/** Calls after which it is known whether they are worth it. */
const TRIALS = 100;

/**
 * Finds where a match may begin: places whose next characters can each be the first, second and so
 * on of a match. A native search for a row of classes, which has nothing to go back for.
 */
export class FirstCharacters {
  readonly #row: RegExp;
  readonly #length: number;
  #calls = 0;
  #skipped = 0;

  constructor(classes: readonly string[]) {
    this.#row = new RegExp(classes.join(''), 'g');
    this.#length = classes.length;
  }

  readonly next: NextStart = (text, from) => {
    this.#row.lastIndex = from;
    const start = this.#row.test(text) ? this.#row.lastIndex - this.#length : -1;
    this.#calls += 1;
    this.#skipped += (start === -1 ? text.length : start) - from;
    return start;
  };

  /** It has skipped so much that it saves time. */
  get isWorthIt(): boolean {
    return this.#calls < TRIALS || this.#skipped > this.#calls * CALL;
  }
}

/** Undefined if a match may be empty. */
export function firstCharacters({ instructions, start }: Program): FirstCharacters | undefined {
  const classes: string[] = [];
  let reached = freely(instructions, [start]);
  while (classes.length < MOST_CHARACTERS) {
    const ranges: [first: number, last: number][] = [];
    const next: number[] = [];
    for (const instruction of reached) {
      if (instruction.kind !== 'character') continue;
      next.push(instruction.to);
      ranges.push(...pairs(instruction.ranges));
    }
    if (ranges.length === 0 || reached.some(({ kind }) => kind === 'match')) break;
    classes.push(classOf(ranges));
    // A pair of surrogates is two of JavaScript's characters: those that follow are not in a row.
    if (ranges.some(([, last]) => last > 0xffff)) break;
    reached = freely(instructions, next);
  }
  return classes.length === 0 ? undefined : new FirstCharacters(classes);
}

/** The instructions that are reached without a character, whatever `^`, `$` and `\b` say. */
function freely(instructions: readonly Instruction[], from: readonly number[]): Instruction[] {
  const found = new Set<number>();
  const stack = [...from];
  for (let number = stack.pop(); number !== undefined; number = stack.pop()) {
    if (found.has(number)) continue;
    found.add(number);
    const instruction = instructions[number];
    if (instruction?.kind === 'free') stack.push(...instruction.to);
    if (instruction?.kind === 'if') stack.push(instruction.to);
  }
  return [...found].flatMap(number => instructions[number] ?? []);
}

function pairs(ranges: Ranges): [first: number, last: number][] {
  return Array.from({ length: ranges.length / 2 }, (_, i) => [
    ranges[2 * i] ?? 0,
    ranges[2 * i + 1] ?? 0,
  ]);
}

/** A class of UTF-16 code units that contains the first one of each code point. */
function classOf(ranges: readonly [first: number, last: number][]): string {
  const unit = (codePoint: number) => `\\u${codePoint.toString(16).padStart(4, '0')}`;
  const parts = ranges.map(([first, last]) => {
    const high = last > 0xffff ? '\\ud800-\\udbff' : '';
    return first > 0xffff ? high : `${unit(first)}-${unit(Math.min(last, 0xffff))}${high}`;
  });
  return `[${parts.join('')}]`;
}
