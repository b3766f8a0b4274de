import type { Alphabet } from './alphabet.ts';
import type { Graph } from './graph.ts';
import {
  BEGIN_LINE,
  BEGIN_TEXT,
  END_LINE,
  END_TEXT,
  NO_WORD_BOUNDARY,
  WORD_BOUNDARY,
} from './program.ts';

/** The automaton of this pattern has more states than are worth having. */
export class TooManyStates extends Error {}

const MOST_STATES = 10_000;
/** In all states together. */
const MOST_NODES = 500_000;
/** Numbers: 8 MB. */
const LARGEST_TABLE = 2_000_000;
const FIRST_STATES = 16;

/** What is before a place, in the direction in which the text is read. */
export const BEFORE = { text: 0, newline: 1, word: 2, other: 3 } as const;
export type Before = (typeof BEFORE)[keyof typeof BEFORE];

interface State {
  /**
   * The preferred one first: nodes that wait for a letter; or, if some wait for what holds, those
   * that the letter led to.
   */
  nodes: Int32Array;
  waitsForPlace: boolean;
  /** What is known to hold here. */
  holds: number;
  isAfterWord: boolean;
  /** A match ended before the letter that led here. */
  isMatch: boolean;
}

/**
 * A deterministic automaton, made while it reads. What holds at a place (`$`, `\b`) depends on the
 * next letter, so a state says whether a match ended before the last one.
 *
 * A state's number is where its row begins in the table. A row has the next state for each letter,
 * negative if it is special: a match, dead, or a start. 0 is not known yet.
 */
export class Automaton {
  table: Int32Array;
  readonly #graph: Graph;
  readonly #alphabet: Alphabet;
  readonly #width: number;
  readonly #isSearch: boolean;
  readonly #marksStarts: boolean;
  /** A node that every letter leads back to, and where a match can begin. */
  readonly #anywhere: number;
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #starts: readonly number[];
  #nodes = 0;
  readonly #visited: Uint32Array;
  #visit = 0;

  /**
   * `search` finds a match that begins anywhere and prefers the first, then what its graph prefers;
   * `longest` begins with the first letter. With `marksStarts`, states in which no match has begun
   * are special.
   */
  constructor(graph: Graph, alphabet: Alphabet, kind: 'search' | 'longest', marksStarts = false) {
    this.#graph = graph;
    this.#alphabet = alphabet;
    this.#width = alphabet.size + 2;
    this.#isSearch = kind === 'search';
    this.#marksStarts = marksStarts;
    this.#anywhere = graph.edges.length;
    this.#visited = new Uint32Array(graph.edges.length + 1);
    this.table = new Int32Array(FIRST_STATES * this.#width);
    const nodes = this.#isSearch ? [graph.start, this.#anywhere] : [graph.start];
    this.#starts = Object.values(BEFORE).map(before => {
      let holds = 0;
      if (before === BEFORE.text) holds = BEGIN_TEXT | BEGIN_LINE;
      if (before === BEFORE.newline) holds = BEGIN_LINE;
      return this.#stateOf(nodes, holds, before === BEFORE.word, false);
    });
  }

  start(before: Before): number {
    return this.#starts[before] ?? 0;
  }

  isStart(state: number): boolean {
    return this.#starts.includes(state);
  }

  isMatch(state: number): boolean {
    return this.#at(state).isMatch;
  }

  /** Nothing matches from here on. */
  isDead(state: number): boolean {
    return this.#at(state).nodes.length === 0;
  }

  /** What the table says of a state and a letter. Throws `TooManyStates`. */
  next(state: number, letter: number): number {
    const known = this.table[state + letter] ?? 0;
    if (known !== 0) return known;
    const to = this.#follow(this.#at(state), letter);
    const isSpecial =
      this.isMatch(to) || this.isDead(to) || (this.#marksStarts && this.isStart(to));
    return (this.table[state + letter] = isSpecial ? -to : to);
  }

  #at(state: number): State {
    const found = this.#states[state / this.#width - 1];
    if (!found) throw new Error(`no state ${state}`);
    return found;
  }

  #follow(state: State, letter: number): number {
    const { end, isNewline, isWord } = this.#alphabet;
    const isLineEnd = isNewline[letter] === 1;
    const isAfterWord = isWord[letter] === 1;
    const holds =
      state.holds |
      (letter === end ? END_TEXT | END_LINE : 0) |
      (isLineEnd ? END_LINE : 0) |
      (isAfterWord === state.isAfterWord ? NO_WORD_BOUNDARY : WORD_BOUNDARY);
    const nodes = state.waitsForPlace ? this.#closure(state.nodes, holds) : state.nodes;
    const next: number[] = [];
    let isMatch = false;
    for (const node of nodes) {
      if (node === this.#graph.accept) {
        isMatch = true;
        if (this.#isSearch) break; // all others are less preferred
      }
      if (node === this.#anywhere && letter !== end) next.push(this.#graph.start, node);
      for (const { to, letters } of this.#graph.edges[node] ?? [])
        if (letters?.[letter] === 1) next.push(to);
    }
    return this.#stateOf(next, isLineEnd ? BEGIN_LINE : 0, isAfterWord, isMatch);
  }

  /** The nodes that are reached without a letter, if what holds is this, and wait there. */
  #closure(from: ArrayLike<number>, holds: number): number[] {
    const { edges, accept } = this.#graph;
    const visited = this.#visited;
    const visit = (this.#visit += 1);
    const found: number[] = [];
    const stack = Array.from(from).reverse();
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (visited[node] === visit) continue;
      visited[node] = visit;
      let waits = node === accept || node === this.#anywhere;
      for (const { to, letters, needs } of (edges[node] ?? []).toReversed()) {
        if (letters === null && (needs & ~holds) === 0) stack.push(to);
        else waits = true;
      }
      if (waits) found.push(node);
      if (node === accept && this.#isSearch) break; // all others are less preferred
    }
    return found;
  }

  #stateOf(from: number[], holds: number, isAfterWord: boolean, isMatch: boolean): number {
    const { edges } = this.#graph;
    const closed = this.#closure(from, holds);
    const waitsForPlace = closed.some(node =>
      edges[node]?.some(({ needs }) => (needs & ~holds) !== 0),
    );
    const found = waitsForPlace ? [...new Set(from)] : closed;
    const nodes = Int32Array.from(this.#isSearch ? found : found.sort((a, b) => a - b));
    // What holds makes no difference to nodes that wait for letters only.
    const key = `${isMatch} ${waitsForPlace ? `${holds} ${isAfterWord}` : ''} ${nodes.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#states.push({ nodes, waitsForPlace, holds, isAfterWord, isMatch });
    this.#nodes += nodes.length;
    const number = this.#states.length * this.#width;
    const size = number + this.#width;
    if (this.#states.length > MOST_STATES || this.#nodes > MOST_NODES || size > LARGEST_TABLE)
      throw new TooManyStates();
    this.#numbers.set(key, number);
    if (size > this.table.length) {
      const larger = new Int32Array(2 * size);
      larger.set(this.table);
      this.table = larger;
    }
    return number;
  }
}
