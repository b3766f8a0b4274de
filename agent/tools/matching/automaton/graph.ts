import type { Alphabet } from './alphabet.ts';
import {
  BEGIN_LINE,
  BEGIN_TEXT,
  END_LINE,
  END_TEXT,
  type Program,
  type Ranges,
} from './program.ts';

/** A way from one node to another. */
export interface Edge {
  to: number;
  /** 1 for each letter that it reads; null if it reads none. */
  letters: Uint8Array | null;
  /** What must hold at the place if it reads none. */
  needs: number;
}

/** A nondeterministic automaton: nodes by number, each with its edges, the preferred one first. */
export interface Graph {
  edges: readonly (readonly Edge[])[];
  start: number;
  /** The node where a match ends. */
  accept: number;
}

/** Reads a match from its start to its end. */
export function forwardGraph({ instructions, start }: Program, alphabet: Alphabet): Graph {
  const known = new Map<Ranges, Uint8Array>();
  const lettersIn = (ranges: Ranges): Uint8Array => {
    const letters = known.get(ranges) ?? alphabet.lettersIn(ranges);
    known.set(ranges, letters);
    return letters;
  };
  const edges = instructions.map((instruction): Edge[] => {
    switch (instruction.kind) {
      case 'free':
        return instruction.to.map(to => ({ to, letters: null, needs: 0 }));
      case 'if':
        return [{ to: instruction.to, letters: null, needs: instruction.needs }];
      case 'character':
        return [{ to: instruction.to, letters: lettersIn(instruction.ranges), needs: 0 }];
      case 'match':
      case 'fail':
        return [];
    }
  });
  return { edges, start, accept: instructions.findIndex(({ kind }) => kind === 'match') };
}

/** Reads a match from its end to its start. */
export function backwardGraph({ edges, start, accept }: Graph): Graph {
  const back: Edge[][] = edges.map(() => []);
  for (const [node, ways] of edges.entries())
    for (const { to, letters, needs } of ways)
      back[to]?.push({ to: node, letters, needs: mirrored(needs) });
  return { edges: back, start: accept, accept: start };
}

/** What ends in one direction begins in the other. */
function mirrored(needs: number): number {
  const swapped = (one: number, other: number) =>
    ((needs & one) === 0 ? 0 : other) | ((needs & other) === 0 ? 0 : one);
  return (
    (needs & ~(BEGIN_LINE | END_LINE | BEGIN_TEXT | END_TEXT)) |
    swapped(BEGIN_LINE, END_LINE) |
    swapped(BEGIN_TEXT, END_TEXT)
  );
}
