import { Readable } from 'node:stream';
import { type Anthropic, APIError } from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import { GrowingMessage } from '../../../shared/models/growing-message.ts';
import { AnswerError } from '../answer/failures.ts';
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
  stopReason: string | null;
  /** What came in, for its usage: it is known also if the call is cut. */
  message: GrowingMessage;
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
 * ahead without limit, and its iterators are seven deep per word.
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
      const text = turn.message.take(event);
      if (text !== '') behind = listener.text(text) ?? behind;
      noteCitation(event, listener);
    }
    return behind;
  });
  finish(turn, turn.message);
}

function noteCitation(event: Anthropic.RawMessageStreamEvent, listener: Listener): void {
  if (event.type !== 'content_block_delta' || event.delta.type !== 'citations_delta') return;
  const { citation } = event.delta;
  if (citation.type === 'search_result_location') listener.citation(citation);
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

/** Adds what has come of the message to the turn; citations are in the search results. */
function finish(turn: ModelTurn, message: GrowingMessage): void {
  turn.stopReason = message.stopReason;
  for (const block of message.blocks()) {
    if (block.type === 'tool_use') {
      const use = { id: String(block.id), name: String(block.name), input: parseInput(block.json) };
      turn.content.push({ type: 'tool_use', ...use });
      turn.toolUses.push(use);
    } else if (block.type === 'text') {
      if (block.text.trim() !== '') turn.content.push({ type: 'text', text: block.text });
    } else {
      // Thoughts go back as they came, with their signature: the model refuses a tool's result
      // without them.
      const { isWhole: _, ...thought } = block;
      turn.content.push(thought);
    }
  }
}

/** Malformed input becomes an empty object: the tool's own check then corrects the model. */
function parseInput(json: string): unknown {
  try {
    return JSON.parse(json || '{}');
  } catch {
    return {};
  }
}

export function emptyTurn(): ModelTurn {
  return { content: [], toolUses: [], stopReason: null, message: new GrowingMessage() };
}
