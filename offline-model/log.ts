import type { Instruction, ToolCall, Turn } from './conversation.ts';

/** The recorded calls and the instructions, each visible only from where it came. */
export class Log {
  readonly #turn: Turn;
  #calls = 0;
  #instructions = 0;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  get again(): boolean {
    return this.#turn.again;
  }

  /**
   * Outcomes of these calls, or undefined where they have not been made yet. Calls of another model
   * in between are passed over.
   */
  take(wanted: ToolCall[]): { text: string; isError: boolean }[] | undefined {
    const { calls } = this.#turn;
    for (let start = this.#calls; start + wanted.length <= calls.length; start++) {
      if (!wanted.every((call, index) => sameCall(call, calls[start + index]))) continue;
      this.#calls = start + wanted.length;
      return calls.slice(start, this.#calls).map(call => call.outcome);
    }
    return undefined;
  }

  /** The next instruction that was there before the next recorded call. */
  nextInstruction(): Instruction | undefined {
    const instruction = this.#turn.instructions[this.#instructions];
    const before = this.#turn.calls[this.#calls]?.position ?? Infinity;
    if (!instruction || instruction.position > before) return undefined;
    this.#instructions++;
    return instruction;
  }
}

function sameCall(one: ToolCall, other: ToolCall | undefined): boolean {
  return (
    one.name === other?.name &&
    JSON.stringify(sorted(one.input)) === JSON.stringify(sorted(other.input))
  );
}

/** The transcript is kept as jsonb, which forgets the order of members. */
function sorted(input: Record<string, unknown>): [string, unknown][] {
  return Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1));
}
