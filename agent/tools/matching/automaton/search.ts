import type { RE2JS } from 're2js';
import { type Alphabet, alphabetOf } from './alphabet.ts';
import { Automaton } from './automaton.ts';
import { type FirstCharacters, firstCharacters } from './first-characters.ts';
import { backwardGraph, forwardGraph, type Graph } from './graph.ts';
import { type Program, programOf } from './program.ts';
import { endOfMatch, startOfMatch } from './scan.ts';

/**
 * Finds what RE2JS finds, by the program that RE2JS compiled, in a twentieth of the time. One
 * automaton finds where the match ends; one that reads backward from there, where it begins. Both
 * look at each character once. They know nothing of groups.
 */
export class AutomatonSearch {
  readonly #alphabet: Alphabet;
  readonly #graph: Graph;
  #forward: Automaton;
  readonly #backward: Automaton;
  #first: FirstCharacters | undefined;

  private constructor(program: Program, alphabet: Alphabet) {
    this.#alphabet = alphabet;
    this.#graph = forwardGraph(program, alphabet);
    this.#first = firstCharacters(program);
    this.#forward = new Automaton(this.#graph, alphabet, 'search', this.#first !== undefined);
    this.#backward = new Automaton(backwardGraph(this.#graph), alphabet, 'longest');
  }

  /** Undefined if RE2JS has to find what this expression matches. */
  static for(expression: RE2JS): AutomatonSearch | undefined {
    const program = programOf(expression);
    const alphabet = program && alphabetOf(program);
    return alphabet && new AutomatonSearch(program, alphabet);
  }

  /** The first match that begins at or after `from`. Throws `TooManyStates`. */
  find(text: string, from: number): { start: number; end: number } | undefined {
    if (this.#first?.isWorthIt === false) {
      this.#first = undefined;
      this.#forward = new Automaton(this.#graph, this.#alphabet, 'search');
    }
    const end = endOfMatch(this.#forward, this.#alphabet, text, from, this.#first?.next);
    if (end === -1) return undefined;
    return { start: startOfMatch(this.#backward, this.#alphabet, text, from, end), end };
  }
}
