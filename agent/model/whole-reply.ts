import { newId } from '../../shared/ids.ts';
import { type CutReason, isCut, whyCut } from '../../shared/jobs/cut-answers.ts';
import type { Block } from '../../db/jobs/transcript.ts';
import type { GrownBlock, GrowingMessage } from '../../shared/models/growing-message.ts';
import { ENDS_THE_TURN } from '../tools/registry.ts';

/** What is wrong with a call of a reply, by its id: a sentence that the model gets as its result. */
export type NotRun = Record<string, string>;

/** An answer of the model in the one form in which it is recorded and acted upon. */
export interface WholeReply {
  content: Block[];
  stopReason: StopReason;
  /** What the server named instead of a reason that the API has. */
  stoppedBy?: string;
  notRun: NotRun;
}

/**
 * Why the model stopped, or why its answer is a part of one. `empty`: it neither said nor called
 * anything.
 */
export type StopReason = (typeof KNOWN)[number] | CutReason | 'empty';

const KNOWN = [
  'end_turn',
  'tool_use',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'max_tokens',
  'model_context_window_exceeded',
] as const;

/** After these an answer without content is an empty one. */
const ENDS: readonly StopReason[] = ['end_turn', 'tool_use', 'stop_sequence'];

/**
 * The one place where what came from a server becomes an answer with calls. A call runs only if it
 * came whole: the last one of an answer that was cut does not, nor one whose input is not a JSON
 * object, nor one after a call that ends the turn. Such a call keeps its place, with an object as
 * input and an id of its own, because servers refuse a transcript without.
 *
 * @param takenIds ids of earlier calls: some servers number those of each answer from 0
 */
export function wholeReply(message: GrowingMessage, takenIds: Iterable<string> = []): WholeReply {
  const ended = stopReasonOf(message);
  const stoppedBy = ended === 'unknown' ? String(message.stopReason).slice(0, 100) : undefined;
  const content: Block[] = [];
  const notRun: NotRun = {};
  const ids = new Set(takenIds);
  const blocks = message.blocks();
  const lastCall = blocks.findLastIndex(({ type }) => type === 'tool_use');
  let endedBy: string | undefined;
  for (const [i, block] of blocks.entries()) {
    if (block.type !== 'tool_use') {
      const spoken = spokenBlock(block, isCut(ended));
      if (spoken) content.push(spoken);
      continue;
    }
    const call = callOf(block, ids);
    content.push(call.block);
    const problem =
      i === lastCall && isCut(ended)
        ? cutWithin(call.name, ended, stoppedBy)
        : (call.problem ?? (endedBy && afterTheEnd(call.name, endedBy)));
    if (problem) notRun[call.block.id] = problem;
    else if (ENDS_THE_TURN.includes(call.name)) endedBy ??= call.name;
  }
  const says = content.some(({ type }) => type === 'text' || type === 'tool_use');
  // Thoughts alone do not answer, and strict servers refuse a message of nothing else.
  return {
    content: says ? content : [],
    stopReason: !says && ENDS.includes(ended) ? 'empty' : ended,
    ...(stoppedBy !== undefined && { stoppedBy }),
    notRun,
  };
}

function stopReasonOf({ stopReason, isEnded }: GrowingMessage): StopReason {
  const known = KNOWN.find(reason => reason === stopReason);
  if (known) return known;
  if (stopReason !== null) return 'unknown';
  return isEnded ? 'end_turn' : 'cut';
}

/** A thought is signed as a whole; a text of white space is refused by strict servers. */
function spokenBlock(
  block: Exclude<GrownBlock, { type: 'tool_use' }>,
  cut: boolean,
): Block | undefined {
  if (cut && !block.isWhole && block.type !== 'text') return undefined;
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? undefined : { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
  }
}

type CallBlock = Extract<Block, { type: 'tool_use' }>;

interface ReadCall {
  name: string;
  block: CallBlock;
  problem?: string;
}

function callOf(
  { id, name: named, json, given }: Extract<GrownBlock, { type: 'tool_use' }>,
  ids: Set<string>,
): ReadCall {
  const name = typeof named === 'string' && /^[\w-]{1,128}$/.test(named) ? named : 'unnamed_tool';
  const { input, problem } = inputOf(json, given);
  const block: CallBlock = { type: 'tool_use', id: ownId(id, ids), name, input: input ?? {} };
  if (problem === undefined) return { name, block };
  return { name, block, problem: `Not run: the input of ${name} ${problem}. Make the call again.` };
}

function inputOf(json: string, given: unknown): { input?: object; problem?: string } {
  if (json.trim() === '') return isObject(given) ? { input: given } : {};
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const shown = json.length > 200 ? `…${json.slice(-200)}` : json;
    return { problem: `is not valid JSON (${(error as Error).message}): ${shown}` };
  }
  if (isObject(value)) return { input: value };
  return { problem: `must be a JSON object, not ${JSON.stringify(value).slice(0, 100)}` };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The call's id, or another one if that is none or not its own. */
function ownId(given: unknown, taken: Set<string>): string {
  const usable = typeof given === 'string' && /^[A-Za-z0-9][\w-]{0,199}$/.test(given);
  const id = usable && !taken.has(given) ? given : newId('call');
  taken.add(id);
  return id;
}

function cutWithin(name: string, reason: CutReason, stoppedBy: string | undefined): string {
  return (
    `Not run: your answer was cut off ${whyCut(reason, stoppedBy)}, and ${name} was its last call, ` +
    'so that a part of its input may be missing. Nothing of it was done. Make the call again; if its ' +
    'text is long, in several smaller calls.'
  );
}

function afterTheEnd(name: string, by: string): string {
  return (
    `Not run: ${name} comes after ${by} in the same answer, and ${by} ends the turn. ` +
    `If the turn continues, make the call before you call ${by} again.`
  );
}
