import type { Alphabet } from './alphabet.ts';
import { type Automaton, BEFORE, type Before } from './automaton.ts';

/** The next place at or after `from` where a match may begin, or -1. */
export type NextStart = (text: string, from: number) => number;

/**
 * Where the match ends that a search from `from` finds, or -1. The automaton is one that searches;
 * with `nextStart`, one that marks starts.
 */
export function endOfMatch(
  automaton: Automaton,
  { letters, letterOf, surrogate, end }: Alphabet,
  text: string,
  from: number,
  nextStart: NextStart | undefined,
): number {
  const { length } = text;
  let at = nextStart ? nextStart(text, from) : from;
  if (at === -1) return -1;
  let state = automaton.start(before(text, at));
  let found = -1;
  let { table } = automaton;
  for (;;) {
    let next = 0;
    // Nearly all time is spent here.
    while (at < length) {
      next = table[state + (letters[text.charCodeAt(at)] ?? 0)] ?? 0;
      if (next <= 0) break;
      state = next;
      at += 1;
    }
    if (at === length) {
      const last = automaton.next(state, end);
      return automaton.isMatch(Math.abs(last)) ? length : found;
    }
    const codePoint = text.codePointAt(at) ?? 0;
    if (next === 0) {
      const letter = letters[text.charCodeAt(at)] ?? 0;
      next = automaton.next(state, letter === surrogate ? letterOf(codePoint) : letter);
      table = automaton.table;
    }
    state = Math.abs(next);
    if (next < 0 && automaton.isMatch(state)) found = at;
    if (next < 0 && automaton.isDead(state)) return found;
    at += codePoint > 0xffff ? 2 : 1;
    if (next < 0 && nextStart && automaton.isStart(state)) {
      const place = nextStart(text, at);
      if (place === -1) return found;
      if (place > at) state = automaton.start(before(text, place));
      at = place;
    }
  }
}

/**
 * Where the longest match that ends at `until` begins, not before `from`; -1 if there is none. The
 * automaton reads backward.
 */
export function startOfMatch(
  automaton: Automaton,
  { letters, letterOf, surrogate, end }: Alphabet,
  text: string,
  from: number,
  until: number,
): number {
  let at = until;
  let state = automaton.start(after(text, at));
  let found = -1;
  let { table } = automaton;
  for (;;) {
    let next = 0;
    while (at > from) {
      next = table[state + (letters[text.charCodeAt(at - 1)] ?? 0)] ?? 0;
      if (next <= 0) break;
      state = next;
      at -= 1;
    }
    if (at === 0) {
      const last = automaton.next(state, end);
      return automaton.isMatch(Math.abs(last)) ? 0 : found;
    }
    const codePoint = codePointBefore(text, at);
    if (next <= 0 || at === from) {
      const letter = letters[text.charCodeAt(at - 1)] ?? 0;
      next = automaton.next(state, letter === surrogate ? letterOf(codePoint) : letter);
      table = automaton.table;
    }
    state = Math.abs(next);
    if (next < 0 && automaton.isMatch(state)) found = at;
    if (at === from || automaton.isDead(state)) return found;
    at -= codePoint > 0xffff ? 2 : 1;
  }
}

function before(text: string, at: number): Before {
  return at === 0 ? BEFORE.text : kindOf(text.charCodeAt(at - 1));
}

function after(text: string, at: number): Before {
  return at === text.length ? BEFORE.text : kindOf(text.charCodeAt(at));
}

function kindOf(codeUnit: number): Before {
  if (codeUnit === 10) return BEFORE.newline;
  return /\w/.test(String.fromCharCode(codeUnit)) ? BEFORE.word : BEFORE.other;
}

function codePointBefore(text: string, at: number): number {
  const pair = at > 1 ? (text.codePointAt(at - 2) ?? 0) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}
