import { Readable } from 'node:stream';
import { type Anthropic, APIError } from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import type { Usage } from '../../../shared/models/model-prices.ts';
import { type ReportedUsage, tokenCount } from '../../../shared/models/reported-usage.ts';
import { AnswerError } from '../answer/failures.ts';
import { GrowingText } from './growing-text.ts';
import { StreamedResponse } from './http-fetch.ts';
import type { ModelClient } from '../../../shared/models/messages-api.ts';

/** How long a connection may stay open after the end of its message. */
const LINGER_MS = 1_000;

/** Gets a turn of the model as it arrives. */
export interface Listener {
  /** Returns a promise if the reader is behind: the model's stream waits until it settles. */
  text(text: string): Promise<void> | undefined;
  citation(citation: Anthropic.CitationsSearchResultLocation): void;
}

export interface ModelTurn {
  /** What goes back to the model as its own turn when it asked for a tool. */
  content: Anthropic.ContentBlockParam[];
  toolUses: { id: string; name: string; input: unknown }[];
  stopReason: Anthropic.StopReason | null;
  model: string;
  usage: Usage;
  /** False if the endpoint reported a count that cannot be one. */
  usageIsKnown: boolean;
}

/** How long a call may last. */
export interface Bounds {
  signal: AbortSignal;
  /** A stream that brings nothing for so long is cut; while the reader is behind, it does not run. */
  idleMs: number;
}

/** The model's stream ended before its message did. */
export class CutStreamError extends Error {
  override readonly name = 'CutStreamError';
}

/**
 * Makes one model call and streams its text and citations to `listener`. The SDK sends the request.
 * The response is read here, only as fast as the listener accepts it: the SDK's accumulator reads
 * ahead without limit, and its iterators are seven deep per word. `turn` is filled as events
 * arrive, so that its usage is known also if the call is cut.
 */
export async function streamModel(
  client: ModelClient,
  request: Anthropic.MessageCreateParamsNonStreaming,
  turn: ModelTurn,
  listener: Listener,
  bounds: Bounds,
): Promise<void> {
  const message = await openStream(client, request, bounds.signal);
  const complete: string[] = [];
  const events = createParser({ onEvent: ({ data }) => complete.push(data) });
  const blocks: (Block | undefined)[] = [];
  await readPieces(message, bounds, (piece, end) => {
    let behind: Promise<void> | undefined;
    events.feed(piece);
    for (const data of complete.splice(0)) {
      const event = JSON.parse(data) as Anthropic.RawMessageStreamEvent | Anthropic.ErrorResponse;
      if (event.type === 'error')
        throw new APIError(undefined, event, undefined, undefined, event.error.type);
      if (event.type === 'message_stop') {
        end();
        break; // anything that follows was added by a gateway
      }
      behind = take(event, turn, blocks, listener) ?? behind;
    }
    return behind;
  });
  finish(turn, blocks);
}

async function openStream(
  client: ModelClient,
  request: Anthropic.MessageCreateParamsNonStreaming,
  signal: AbortSignal,
): Promise<Readable> {
  const response = await client.messages
    .create({ ...request, stream: true }, { signal })
    .asResponse();
  if (response instanceof StreamedResponse) return response.message;
  // The SDK of a cloud has translated its stream to the API's events.
  if (!response.body) throw new CutStreamError('The model’s answer has no body.');
  return Readable.fromWeb(response.body);
}

/**
 * Passes a body to `each` piece by piece until it calls `end`; waits while it returns a promise.
 * Rejects with what `each` throws, if the body ends before `end` is called, and with `slow` if it
 * brings nothing for too long.
 */
function readPieces(
  message: Readable,
  { signal, idleMs }: Bounds,
  each: (piece: string, end: () => void) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let lingering: NodeJS.Timeout | undefined;
    const stop = () => message.destroy();
    const idle = setTimeout(() => {
      if (message.isPaused()) return void idle.refresh();
      reject(new AnswerError('slow'));
      stop();
    }, idleMs).unref();
    const end = () => {
      // A connection that ends its response in time is used again.
      lingering = setTimeout(stop, LINGER_MS).unref();
      resolve();
    };
    signal.addEventListener('abort', stop);
    message
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        idle.refresh();
        if (lingering) return;
        try {
          const behind = each(piece, end);
          if (!behind) return;
          message.pause();
          void behind.then(() => message.resume());
        } catch (error) {
          reject(error);
          message.destroy();
        }
      })
      .on('error', reject)
      .on('close', () => {
        clearTimeout(lingering);
        clearTimeout(idle);
        signal.removeEventListener('abort', stop);
        reject(new CutStreamError('The model’s stream ended before its message did.'));
      });
  });
}

export function emptyTurn(model: string): ModelTurn {
  return {
    content: [],
    toolUses: [],
    stopReason: null,
    model,
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    usageIsKnown: true,
  };
}

/**
 * A block of the turn so far: a text, the JSON of a tool's input, or a thought. Thoughts go back to
 * the model as they came, with their signature: it refuses a tool's result without them.
 */
interface Block {
  tool: { id: string; name: string } | undefined;
  thought: { signature: string } | { redacted: string } | undefined;
  text: GrowingText;
}

function take(
  event: Anthropic.RawMessageStreamEvent,
  turn: ModelTurn,
  blocks: (Block | undefined)[],
  listener: Listener,
): Promise<void> | undefined {
  if (event.type === 'message_start') {
    turn.model = event.message.model;
    countUsage(turn, event.message.usage);
  } else if (event.type === 'content_block_start') {
    blocks[event.index] = begun(event.content_block);
  } else if (event.type === 'content_block_delta') {
    const { delta } = event;
    const block = blocks[event.index];
    if (delta.type === 'citations_delta' && delta.citation.type === 'search_result_location')
      listener.citation(delta.citation);
    if (delta.type === 'input_json_delta') block?.text.add(delta.partial_json);
    if (delta.type === 'thinking_delta') block?.text.add(delta.thinking);
    if (delta.type === 'signature_delta' && block?.thought)
      block.thought = { signature: delta.signature };
    if (delta.type !== 'text_delta') return undefined;
    block?.text.add(delta.text);
    return listener.text(delta.text);
  } else if (event.type === 'message_delta') {
    turn.stopReason = event.delta.stop_reason;
    countUsage(turn, event.usage);
  }
  return undefined;
}

function begun(block: Anthropic.ContentBlock): Block | undefined {
  const text = new GrowingText();
  if (block.type === 'text') return { tool: undefined, thought: undefined, text };
  if (block.type === 'tool_use')
    return { tool: { id: block.id, name: block.name }, thought: undefined, text };
  if (block.type === 'thinking')
    return { tool: undefined, thought: { signature: block.signature ?? '' }, text };
  if (block.type === 'redacted_thinking')
    return { tool: undefined, thought: { redacted: block.data }, text };
  return undefined;
}

/** Omits citations: their text is in the search results, which go back to the model too. */
function finish(turn: ModelTurn, blocks: readonly (Block | undefined)[]): void {
  for (const block of blocks) {
    const text = block?.text.toString() ?? '';
    if (block?.thought) {
      turn.content.push(thoughtParam(block.thought, text));
    } else if (block?.tool) {
      const use = { ...block.tool, input: parseInput(text) };
      turn.content.push({ type: 'tool_use', ...use });
      turn.toolUses.push(use);
    } else if (text.trim() !== '') {
      turn.content.push({ type: 'text', text });
    }
  }
}

function thoughtParam(
  thought: NonNullable<Block['thought']>,
  thinking: string,
): Anthropic.ContentBlockParam {
  return 'redacted' in thought
    ? { type: 'redacted_thinking', data: thought.redacted }
    : { type: 'thinking', thinking, signature: thought.signature };
}

/** Malformed input becomes an empty object: the tool's own check then corrects the model. */
function parseInput(json: string): unknown {
  try {
    return JSON.parse(json || '{}');
  } catch {
    return {};
  }
}

function countUsage(turn: ModelTurn, reported: ReportedUsage = {}): void {
  const { usage: total } = turn;
  // Later events repeat the running totals; they never add.
  const count = (value: number | null | undefined, before: number): number => {
    if (value === undefined || value === null) return before;
    const tokens = tokenCount(value);
    if (tokens === undefined) turn.usageIsKnown = false;
    return tokens ?? before;
  };
  total.inputTokens = count(reported.input_tokens, total.inputTokens);
  total.outputTokens = count(reported.output_tokens, total.outputTokens);
  total.cacheReadTokens = count(reported.cache_read_input_tokens, total.cacheReadTokens);
  total.cacheWriteTokens = count(reported.cache_creation_input_tokens, total.cacheWriteTokens);
}
