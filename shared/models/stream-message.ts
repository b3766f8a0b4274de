import { Readable } from 'node:stream';
import { type Anthropic, APIError } from '@anthropic-ai/sdk';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { currentTracer } from '../traces/tracing.ts';
import type { GrowingMessage, StreamEvent } from './growing-message.ts';
import { StreamedResponse } from './http-fetch.ts';
import { readUsage } from './reported-usage.ts';

export type ModelParams = Anthropic.Beta.MessageCreateParamsNonStreaming;

/** How long a connection may stay open after the end of its message. */
const LINGER_MS = 1_000;

/** How long a stream may be silent: before its first byte, and between two pieces. Milliseconds. */
export interface Patience {
  firstMs: number;
  idleMs: number;
}

export interface Streaming {
  /** The model that is asked, for the trace. */
  model: string;
  signal: AbortSignal;
  patience: Patience;
  /**
   * With each event, and the text in it for readers: '' for most. Returns a promise if the reader is
   * behind: the stream waits until it settles.
   */
  onEvent?(text: string, event: StreamEvent): Promise<void> | undefined | void;
  onRequestId?(id: string | null): void;
}

/** The model's stream ended before its message did. */
export class CutStreamError extends Error {
  override readonly name = 'CutStreamError';
}

/** The model's stream brought nothing for too long. */
export class SilentStreamError extends Error {
  override readonly name = 'SilentStreamError';
}

/**
 * Lets `message` grow by the stream that a call of the SDK asked for (`create` with `stream: true`)
 * until that ends, however it does. The SDK sends the request. The response is read here, only as
 * fast as the reader accepts it: the SDK's accumulator reads ahead without limit, and its iterators
 * are seven deep per word. Rejects with what the SDK throws for a refusal or an error event, with
 * `CutStreamError`, `SilentStreamError`, or a `SyntaxError` for an event that is not JSON; `message`
 * then has what came before.
 */
export async function streamMessage(
  asked: { asResponse(): Promise<Response> },
  message: GrowingMessage,
  streaming: Streaming,
): Promise<void> {
  const span = currentTracer()?.begin({
    name: `chat ${streaming.model}`,
    kind: 'client',
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': streaming.model },
  });
  let error: unknown;
  try {
    await readMessage(asked, message, streaming);
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    const { usage } = readUsage(message.usage);
    span?.end({
      attributes: {
        'gen_ai.response.model': message.model ?? streaming.model,
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
      },
      error: error === undefined ? undefined : (error as Error).name,
    });
  }
}

async function readMessage(
  asked: { asResponse(): Promise<Response> },
  message: GrowingMessage,
  { signal, patience, onEvent, onRequestId }: Streaming,
): Promise<void> {
  const response = await asked.asResponse();
  onRequestId?.(response.headers.get('request-id'));
  const complete: EventSourceMessage[] = [];
  const events = createParser({ onEvent: event => complete.push(event) });
  await readPieces(bodyOf(response), signal, patience, (piece, end) => {
    let behind: Promise<void> | undefined;
    events.feed(piece);
    for (const { event: name, data } of complete.splice(0)) {
      const event = JSON.parse(data) as StreamEvent;
      const error = errorIn(name, event);
      if (error) throw error;
      const text = message.take(event);
      behind = onEvent?.(text, event) ?? behind;
      if (event.type === 'message_stop') {
        end();
        break; // anything that follows was added by a gateway
      }
    }
    return behind;
  });
  signal.throwIfAborted();
}

/**
 * The vendor's error events have the type `error`, llama.cpp's only the name, with the error as
 * data, and gateways' a member `error` without a type. A code is an HTTP status.
 */
function errorIn(name: string | undefined, event: object): APIError | undefined {
  const { type, error, code } = event as { type?: string; error?: StreamedError; code?: unknown };
  if (type === 'error')
    return new APIError(undefined, event, undefined, undefined, error?.type as ErrorType);
  if (name !== 'error' && (type !== undefined || !error)) return undefined;
  const status = Number(error?.code ?? code);
  return new APIError(status >= 400 && status < 600 ? status : 500, event, undefined, undefined);
}

interface StreamedError {
  type?: string;
  code?: unknown;
}
type ErrorType = Anthropic.ErrorType;

function bodyOf(response: Response): Readable {
  if (response instanceof StreamedResponse) return response.message;
  // The SDK of a cloud has translated its stream to the API's events.
  if (!response.body) throw new CutStreamError('The model’s answer has no body.');
  return Readable.fromWeb(response.body);
}

/**
 * Passes a body to `each` piece by piece until it calls `end`; waits while it returns a promise.
 * Rejects with what `each` throws, if the body ends before `end` is called, or if it is silent for
 * too long. While the reader is behind, that time does not run.
 */
function readPieces(
  body: Readable,
  signal: AbortSignal,
  { firstMs, idleMs }: Patience,
  each: (piece: string, end: () => void) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let lingering: NodeJS.Timeout | undefined;
    let idle = setTimeout(() => fallSilent(firstMs), firstMs).unref();
    const stop = () => body.destroy();
    const fail = (error: unknown) => {
      reject(error);
      stop();
    };
    const fallSilent = (ms: number) => {
      if (body.isPaused()) return void idle.refresh();
      fail(new SilentStreamError(`the stream brought nothing for ${ms / 1000} s`));
    };
    const end = () => {
      // A connection that ends its response in time is used again.
      lingering = setTimeout(stop, LINGER_MS).unref();
      resolve();
    };
    body.once('data', () => {
      clearTimeout(idle);
      idle = setTimeout(() => fallSilent(idleMs), idleMs).unref();
    });
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    body
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        idle.refresh();
        if (lingering) return;
        try {
          const behind = each(piece, end);
          if (behind) body.pause();
          behind?.then(() => body.resume(), fail);
        } catch (error) {
          fail(error);
        }
      })
      .on('error', reject)
      .on('close', () => {
        clearTimeout(lingering);
        clearTimeout(idle);
        signal.removeEventListener('abort', stop);
        reject(new CutStreamError('the stream ended before its message did'));
      });
  });
}
