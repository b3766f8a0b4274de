import {
  AUTOMATION_RUN,
  DOCS_FOLDER,
  IS_NOTE,
  IS_ORIENTATION,
  MAKE_CHANGE_AGAIN,
  NOT_RUN,
  PLAN_APPROVED,
  PLAN_TOOL,
  SECRET_REMOVED,
  TAKEN_BACK,
} from '../shared/agent-text.ts';
import { blocksOf, type MessagesRequest, type RequestBlock } from './protocol/messages-protocol.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export interface ToolOutcome {
  text: string;
  isError: boolean;
}

interface RecordedCall extends ToolCall {
  /** Index of the assistant message that made the call. */
  position: number;
  outcome: ToolOutcome;
}

interface Instruction {
  text: string;
  /** Index of the user message that brought it. */
  position: number;
}

/**
 * The newest turn of a request: the instructions since the last turn ended, and the calls made for
 * them. A turn ends with an accepted `finish`, an answer without tool calls, or a cut.
 */
export class Transcript {
  /** The docs folder that the system prompt names, without slash; '' is the root, or not said. */
  readonly docsFolder: string;
  /** The instructions were carried out once, and other people's edits took their place. */
  again = false;
  #instructions: Instruction[] = [];
  /** Instructions whose plans wait to be approved. */
  #planned: Instruction[] = [];
  #calls: RecordedCall[] = [];
  /** How many of each were read back. */
  #read = { instructions: 0, calls: 0 };

  constructor(request: MessagesRequest) {
    this.docsFolder = DOCS_FOLDER.exec(textOf(request.system))?.[1] ?? '';
    let open: RequestBlock[] = [];
    let last: Instruction[] = [];
    for (const [position, message] of request.messages.entries()) {
      const blocks = blocksOf(message.content);
      if (message.role === 'assistant') {
        open = blocks.filter(({ type }) => type === 'tool_use');
        if (open.length === 0) last = this.#endTurn();
        continue;
      }
      if (this.#readResults(blocks, open, position - 1)) last = this.#endTurn();
      if (open.some(({ name }) => name === PLAN_TOOL)) this.#planned.push(...last);
      this.#readTexts(blocks, position, last);
    }
  }

  /**
   * Outcomes of these calls, or undefined if they were not made yet. Calls of another model in
   * between are passed over.
   */
  take(wanted: ToolCall[]): ToolOutcome[] | undefined {
    for (let start = this.#read.calls; start + wanted.length <= this.#calls.length; start++) {
      if (!wanted.every((call, at) => isSame(call, this.#calls[start + at]))) continue;
      this.#read.calls = start + wanted.length;
      return this.#calls.slice(start, this.#read.calls).map(({ outcome }) => outcome);
    }
    return undefined;
  }

  /** The next instruction that was there before the next recorded call. */
  nextInstruction(): string | undefined {
    const instruction = this.#instructions[this.#read.instructions];
    const before = this.#calls[this.#read.calls]?.position ?? Infinity;
    if (!instruction || instruction.position > before) return undefined;
    this.#read.instructions++;
    return instruction.text;
  }

  /** The instructions of the turn that ended. */
  #endTurn(): Instruction[] {
    const ended = this.#instructions;
    [this.#instructions, this.#calls, this.again] = [[], [], false];
    return ended;
  }

  /** Notes the calls that the results answer; true if one of them ends the turn. */
  #readResults(blocks: RequestBlock[], open: RequestBlock[], position: number): boolean {
    let hasEnded = false;
    for (const { type, tool_use_id: id, content, is_error: isError = false } of blocks) {
      const call = type === 'tool_result' ? open.find(one => one.id === id) : undefined;
      if (!call) continue;
      const outcome = { text: textOf(content), isError };
      this.#calls.push({ ...(call as RequestBlock & ToolCall), position, outcome });
      hasEnded ||= isError
        ? outcome.text === NOT_RUN
        : call.name === 'finish' || call.name === PLAN_TOOL;
    }
    return hasEnded;
  }

  #readTexts(blocks: RequestBlock[], position: number, last: Instruction[]): void {
    for (const { type, text = '' } of blocks) {
      if (type !== 'text' || IS_ORIENTATION.test(text)) continue;
      if (!IS_NOTE.test(text)) this.#instructions.push({ text: written(text), position });
      else if (text.includes(TAKEN_BACK)) this.#endTurn();
      else if (text.includes(PLAN_APPROVED))
        this.#instructions = this.#planned
          .splice(0)
          .map(({ text: planned }) => ({ text: planned, position }));
      else if (text.includes(MAKE_CHANGE_AGAIN) && this.#instructions.length === 0) {
        this.#instructions = last.map(instruction => ({ ...instruction, position }));
        this.again = true;
      }
    }
  }
}

/** What a person wrote of an instruction. */
function written(text: string): string {
  return text.split(`\n\n${AUTOMATION_RUN} `, 1)[0]!.trim();
}

/** The transcript is kept as jsonb, which forgets the order of members, and without secrets. */
function isSame(one: ToolCall, other: ToolCall | undefined): boolean {
  if (one.name !== other?.name) return false;
  const text = ({ input }: ToolCall) =>
    JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)));
  const [asked, parts] = [text(one), text(other).split(SECRET_REMOVED)];
  return parts.length === 1 ? parts[0] === asked : parts.every(part => asked.includes(part));
}

/** The text blocks of some content, joined. */
export function textOf(content: string | RequestBlock[] | undefined): string {
  return blocksOf(content)
    .flatMap(block => (block.type === 'text' ? [block.text ?? ''] : []))
    .join('\n');
}
