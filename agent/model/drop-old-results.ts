import type { Block } from '../../db/jobs/transcript.ts';
import { BYTES_PER_TOKEN } from '../../shared/models/window.ts';

export interface Message {
  role: 'user' | 'assistant';
  content: Block[];
}

/**
 * Results and inputs of the newest calls stay, at first; fewer if that is not enough. Results that
 * the model has not seen yet always do: they are no longer than `longestResult`.
 */
const KEEP_CALLS = [12, 8, 5, 3, 2, 1, 0] as const;
/** What is left after dropping, as a share of the room: so that the next steps drop nothing. */
const TARGET = 0.6;
/** A shorter input or result is not worth a change of the prefix. */
const SMALL = 400;

const DROPPED_RESULT =
  '[Dropped, to make room. Call the tool again if you still need this result.]';

/** What instructions, tools, the site's outline and the answer take of a window, roughly. */
const OTHER_TOKENS = 12_000;
const SHARE_OF_RESULTS = 1 / 2;
const SHORTEST_RESULT = 3_000;

/**
 * Characters of the longest result of a tool in a window of so many tokens, if the model made
 * `calls` calls at once: unseen ones must fit together.
 */
export function longestResult(contextTokens: number, calls: number): number {
  const room = (contextTokens - OTHER_TOKENS) * BYTES_PER_TOKEN * SHARE_OF_RESULTS;
  return Math.max(SHORTEST_RESULT, Math.floor(room / calls));
}

/** Tokens that a value takes in a request, estimated from its size; rather too many than too few. */
export function estimatedTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value, measured) ?? '') / BYTES_PER_TOKEN);
}

/** An image costs by its pixels: the API makes it smaller than this. */
const IMAGE_TOKENS = 1_600;
const AS_LARGE_AS_AN_IMAGE = 'x'.repeat(IMAGE_TOKENS * BYTES_PER_TOKEN);

function measured(key: string, value: unknown): unknown {
  return key === 'data' && typeof value === 'string' && value.length > AS_LARGE_AS_AN_IMAGE.length
    ? AS_LARGE_AS_AN_IMAGE
    : value;
}

/**
 * The messages of a request within `room` tokens, for an endpoint that drops nothing itself. Old
 * tool results go first, then the long inputs of old calls; what people and the model said stays.
 *
 * Where to drop is decided at each request of the job in turn, from what came before it alone. So
 * it is the same in all later requests, and between two such places the beginning of the request
 * stays byte for byte the same, which caches need.
 */
export function dropOldResults(messages: Message[], room: number): Message[] {
  const calls = toolCalls(messages);
  const sizes = messages.map(({ content }) => content.map(estimatedTokens));
  let dropped = { results: 0, inputs: 0 };
  for (const [end, { role }] of messages.entries()) {
    if (role !== 'user') continue;
    // What this message brings was never seen.
    const known = calls.filter(call => call.answeredIn < end).length;
    const size = (state: Dropped) => estimate(messages, sizes, calls, state, end);
    if (size(dropped) > room) dropped = drop(dropped, known, size, room * TARGET);
  }
  return shown(messages, calls, dropped);
}

/** How many of the oldest calls have lost their results, and how many their long inputs. */
interface Dropped {
  results: number;
  inputs: number;
}

function drop(
  before: Dropped,
  known: number,
  size: (state: Dropped) => number,
  target: number,
): Dropped {
  let state = before;
  for (const keep of KEEP_CALLS) {
    state = { ...state, results: Math.max(state.results, known - keep) };
    if (size(state) <= target) return state;
    state = { ...state, inputs: Math.max(state.inputs, known - keep) };
    if (size(state) <= target) return state;
  }
  return state;
}

interface Call {
  id: string;
  /** Index of the message that holds its result. */
  answeredIn: number;
}

/** The calls that have a result, in order. */
function toolCalls(messages: Message[]): Call[] {
  return messages.flatMap(({ content }, i) =>
    content.flatMap(block =>
      block.type === 'tool_result' ? [{ id: block.tool_use_id, answeredIn: i }] : [],
    ),
  );
}

function estimate(
  messages: Message[],
  sizes: number[][],
  calls: Call[],
  dropped: Dropped,
  end: number,
): number {
  const change = dropper(calls, dropped);
  let total = 0;
  for (let i = 0; i <= end; i += 1)
    for (const [b, block] of messages[i]!.content.entries()) {
      const changed = change(block);
      total += changed === block ? sizes[i]![b]! : estimatedTokens(changed);
    }
  return total;
}

function shown(messages: Message[], calls: Call[], dropped: Dropped): Message[] {
  if (dropped.results + dropped.inputs === 0) return messages;
  const change = dropper(calls, dropped);
  return messages.map(message => ({ ...message, content: message.content.map(change) }));
}

function dropper(calls: Call[], dropped: Dropped): (block: Block) => Block {
  const results = new Set(calls.slice(0, dropped.results).map(call => call.id));
  const inputs = new Set(calls.slice(0, dropped.inputs).map(call => call.id));
  return block => {
    if (block.type === 'tool_result' && results.has(block.tool_use_id))
      return estimatedTokens(block.content) * BYTES_PER_TOKEN <= SMALL
        ? block
        : { ...block, content: DROPPED_RESULT };
    if (block.type === 'tool_use' && inputs.has(block.id))
      return { ...block, input: shortInput(block.input) };
    return block;
  };
}

/** The input without its long texts; the model sees what it called, and with how much. */
function shortInput(input: unknown): unknown {
  if (typeof input === 'string' && input.length > SMALL)
    return `[Dropped: ${input.length} characters]`;
  if (Array.isArray(input)) return input.map(shortInput);
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, shortInput(value)]),
  );
}
