import { RE2JS } from 're2js';

/** What can be needed between two characters: bits of RE2's empty-width instructions. */
export const BEGIN_LINE = 1;
export const END_LINE = 2;
export const BEGIN_TEXT = 4;
export const END_TEXT = 8;
export const WORD_BOUNDARY = 16;
export const NO_WORD_BOUNDARY = 32;

/** RE2's instructions, by their numbers in RE2JS (`Inst`). */
const ALT = 1;
const ALT_MATCH = 2;
const CAPTURE = 3;
const EMPTY_WIDTH = 4;
const FAIL = 5;
const MATCH = 6;
const NOP = 7;
const FIRST_RUNE = 8;
const LAST_RUNE = 11;
const FOLD_CASE = 1;

/** A larger program is for RE2JS alone. */
const MOST_INSTRUCTIONS = 20_000;

/** Code points: the first and the last of each range, in order. */
export type Ranges = ArrayLike<number>;

/** One instruction, with the numbers of those that follow, the preferred one first. */
export type Instruction =
  | { kind: 'free'; to: readonly number[] }
  | { kind: 'if'; needs: number; to: number }
  | { kind: 'character'; ranges: Ranges; to: number }
  | { kind: 'match' }
  | { kind: 'fail' };

export interface Program {
  instructions: readonly Instruction[];
  start: number;
}

interface Inst {
  op: number;
  out: number;
  arg: number;
  runes: Int32Array;
}

/**
 * The program that RE2JS compiled a pattern to. Syntax, flags, letter case and classes are thereby
 * what RE2JS takes them for. Undefined if it is very large, or has instructions unknown to us.
 */
export function programOf(expression: RE2JS): Program | undefined {
  const { inst, start } = expression.re2().prog as { inst: Inst[]; start: number };
  if (inst.length > MOST_INSTRUCTIONS) return undefined;
  const instructions: Instruction[] = [];
  const known = new Map<string, Ranges>();
  for (const each of inst) {
    const instruction = read(each, known);
    if (!instruction) return undefined;
    instructions.push(instruction);
  }
  return { instructions, start };
}

/** `known`: the ranges of single characters, so that equal ones are the same. */
function read({ op, out, arg, runes }: Inst, known: Map<string, Ranges>): Instruction | undefined {
  if (op >= FIRST_RUNE && op <= LAST_RUNE) {
    const key = `${arg} ${runes[0]}`;
    const ranges = runes.length === 1 ? (known.get(key) ?? rangesOf(runes, arg)) : runes;
    if (runes.length === 1) known.set(key, ranges);
    return { kind: 'character', ranges, to: out };
  }
  switch (op) {
    case ALT:
    case ALT_MATCH:
      return { kind: 'free', to: [out, arg] };
    case CAPTURE:
    case NOP:
      return { kind: 'free', to: [out] };
    case EMPTY_WIDTH:
      return { kind: 'if', needs: arg, to: out };
    case MATCH:
      return { kind: 'match' };
    case FAIL:
      return { kind: 'fail' };
    default:
      return undefined;
  }
}

/** A single code point stands for itself, or for its forms in all letter cases. */
function rangesOf([codePoint = 0]: Iterable<number>, flags: number): Ranges {
  return (flags & FOLD_CASE) === 0 ? [codePoint, codePoint] : allCases(codePoint);
}

/** Asks RE2JS, which writes out all forms in a class of several characters. */
function allCases(codePoint: number): Ranges {
  const pattern = `[\\x{0}\\x{${codePoint.toString(16)}}]`;
  const { prog } = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).re2();
  const { inst } = prog as { inst: Inst[] };
  return Array.from(inst.find(({ op }) => op === FIRST_RUNE)?.runes ?? []).slice(2);
}
