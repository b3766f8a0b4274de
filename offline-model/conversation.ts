import {
  DOCS_FOLDER,
  IS_NOTE,
  IS_ORIENTATION,
  MAKE_CHANGE_AGAIN,
  NOT_RUN,
  TAKEN_BACK,
} from '../shared/agent-text.ts';
import { type MessagesRequest, type RequestBlock, blocksOf } from './protocol/messages-protocol.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export interface ToolOutcome {
  text: string;
  isError: boolean;
}

export interface RecordedCall extends ToolCall {
  /** Index of the assistant message that made the call. */
  position: number;
  outcome: ToolOutcome;
}

export interface Instruction {
  text: string;
  /** Index of the user message that brought it. */
  position: number;
}

/**
 * What the newest turn of a transcript holds: instructions since the last turn ended, and the calls
 * made for them.
 */
export interface Turn {
  instructions: Instruction[];
  calls: RecordedCall[];
  /** The instructions were carried out once, and other people's edits took their place. */
  again: boolean;
}

/**
 * Reads a request's transcript; a turn ends with an accepted `finish` or an answer without tool
 * calls.
 */
export function readTurn(request: MessagesRequest): Turn {
  const turn: Turn = { instructions: [], calls: [], again: false };
  let last: Instruction[] = [];
  let open = new Map<string, RecordedCall>();
  for (const [position, message] of request.messages.entries()) {
    const blocks = blocksOf(message.content);
    if (message.role === 'assistant') {
      open = new Map(
        blocks
          .filter(block => block.type === 'tool_use')
          .map(block => [block.id ?? '', recorded(block, position)]),
      );
      if (open.size === 0) last = reset(turn);
      continue;
    }
    if (readResults(blocks, open, turn)) last = reset(turn);
    for (const { type, text = '' } of blocks) {
      if (type !== 'text' || IS_ORIENTATION.test(text)) continue;
      if (!IS_NOTE.test(text)) turn.instructions.push({ text, position });
      else if (text.includes(TAKEN_BACK)) reset(turn);
      else if (text.includes(MAKE_CHANGE_AGAIN) && turn.instructions.length === 0) {
        turn.instructions = last.map(instruction => ({ ...instruction, position }));
        turn.again = true;
      }
    }
  }
  return turn;
}

/**
 * True where the results end the turn: an accepted `finish`, or a call that was not run any more.
 */
function readResults(blocks: RequestBlock[], open: Map<string, RecordedCall>, turn: Turn): boolean {
  let finished = false;
  for (const block of blocks) {
    const call = block.type === 'tool_result' ? open.get(block.tool_use_id ?? '') : undefined;
    if (!call) continue;
    call.outcome = { text: textOf(block.content), isError: block.is_error === true };
    turn.calls.push(call);
    finished ||=
      (call.name === 'finish' && !call.outcome.isError) ||
      (call.outcome.isError && call.outcome.text === NOT_RUN);
  }
  return finished;
}

function recorded(block: RequestBlock, position: number): RecordedCall {
  const input =
    typeof block.input === 'object' && block.input !== null
      ? (block.input as Record<string, unknown>)
      : {};
  return { name: block.name ?? '', input, position, outcome: { text: '', isError: true } };
}

/** Begins a new turn; gives the instructions of the one that ended. */
function reset(turn: Turn): Instruction[] {
  const { instructions } = turn;
  Object.assign(turn, { instructions: [], calls: [], again: false });
  return instructions;
}

/** The docs folder that the system prompt names, without slash; '' is the root, or not said. */
export function docsFolder(request: MessagesRequest): string {
  return DOCS_FOLDER.exec(textOf(request.system))?.[1] ?? '';
}

/** The text blocks of some content, joined. */
export function textOf(content: string | RequestBlock[] | undefined): string {
  return blocksOf(content)
    .flatMap(block => (block.type === 'text' ? [block.text ?? ''] : []))
    .join('\n');
}
