import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, listen, readJson, sendError } from '../../offline-model/protocol/http.ts';
import {
  type AnswerBlock,
  type ErrorType,
  type MessagesRequest,
  type SearchResultCitation,
  type StopReason,
  type StreamEvent,
  type TokenUsage,
  encodeError,
  encodeEvents,
  encodeMessage,
  encodeServerSentEvent,
  newId,
} from '../../offline-model/protocol/messages-protocol.ts';
import { refuse } from '../../offline-model/protocol/refuse.ts';
import { countTokens, PromptCache } from './prompt-cache.ts';
import { strictRefusal } from './strict-request.ts';
import { cachedShare, prefixBreaks, type RecordedRequest } from './recorded-requests.ts';

/** An answer of the model. Neither `text` nor `toolUses`: an answer without content. */
export interface ScriptedAnswer {
  text?: string;
  citations?: SearchResultCitation[];
  /** `rawInput` replaces the input's JSON in the stream: malformed tool input. */
  toolUses?: { name: string; input?: unknown; id?: string; rawInput?: string }[];
  /** What a server makes of the events of this answer, in place of what the API would send. */
  change?: (events: StreamEvent[]) => StreamEvent[];
  /** Waits before each event. */
  dripMs?: number;
  /** Default: `tool_use` where there are tool uses, else `end_turn`. */
  stopReason?: StopReason;
  /** Overrides what the stand-in counts. */
  usage?: Partial<TokenUsage>;
  /** Waits before the headers. */
  delayMs?: number;
  /** Says nothing for so long after `message_start`. */
  silentMs?: number;
  /** Destroys the connection after so many events. */
  cutAfterEvents?: number;
  /** After so many events, an `error` event and the stream's end. */
  errorEventMidStream?: { afterEvents: number; type: ErrorType; message?: string };
}

/** A refusal by status; `status: 0` destroys the connection before any answer. */
export interface ScriptedFault {
  status: number;
  errorType?: ErrorType;
  message?: string;
  headers?: Record<string, string>;
  delayMs?: number;
}

export type ScriptedReply = ScriptedAnswer | ScriptedFault;
/** Replies in order, or a function of the request and its number (from 0). */
export type Script =
  | ScriptedReply[]
  | ((request: MessagesRequest, index: number) => ScriptedReply | Promise<ScriptedReply>);

export interface ScriptedModel {
  /** For ANTHROPIC_BASE_URL. */
  url: string;
  requests: RecordedRequest[];
  /** Input tokens read from the cache, as a share of all input tokens of all requests. */
  cachedShare(): number;
  /**
   * Where a request is not the previous one with something added: one sentence each, none where
   * every request repeats its predecessor (tools, system and messages) byte for byte.
   */
  prefixBreaks(): string[];
  close(): Promise<void>;
}

/** Starts a server that speaks the Messages API to the real SDK and plays a script. */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const play: Play = { script, requests: [], cache: new PromptCache() };
  const server = createServer((request, response) => {
    respond(play, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const url = await listen(server, '127.0.0.1', 0);
  return {
    url,
    requests: play.requests,
    cachedShare: () => cachedShare(play.requests),
    prefixBreaks: () => prefixBreaks(play.requests),
    close: () => closeServer(server),
  };
}

interface Play {
  script: Script;
  requests: RecordedRequest[];
  cache: PromptCache;
}

async function respond(
  { script, requests, cache }: Play,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = newId('req');
  if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages')
    return sendError(response, 'not_found_error', 'Not found', requestId);
  const body = await readJson(request);
  const refusal = refuse(body) ?? strictRefusal(body as MessagesRequest);
  if (refusal) return sendError(response, 'invalid_request_error', refusal, requestId);
  const { recorded, gone } = record(request, response, body as MessagesRequest, requestId);
  const index = requests.push(recorded) - 1;
  const reply = typeof script === 'function' ? await script(recorded.body, index) : script[index];
  if (!reply)
    return sendError(
      response,
      'invalid_request_error',
      `The script has ${index} replies; this is request ${index + 1}.`,
      requestId,
    );
  if (reply.delayMs && !(await waited(reply.delayMs, gone))) return;
  if ('status' in reply) return playFault(response, reply, requestId);
  const content = contentOf(reply);
  const counted = cache.count(recorded.body, countTokens(JSON.stringify(content)));
  recorded.usage = { ...counted, ...reply.usage };
  const answer: Answer = {
    model: recorded.body.model,
    content,
    stopReason: reply.stopReason ?? (reply.toolUses?.length ? 'tool_use' : 'end_turn'),
    usage: recorded.usage,
  };
  if (recorded.body.stream) return await stream(response, answer, reply, gone, requestId);
  response.writeHead(200, { 'content-type': 'application/json', 'request-id': requestId });
  response.end(JSON.stringify(encodeMessage(answer)));
}

type Answer = Parameters<typeof encodeEvents>[0];

/** `gone` aborts when the response is through or the client has left. */
function record(
  { headers }: IncomingMessage,
  response: ServerResponse,
  body: MessagesRequest,
  requestId: string,
): { recorded: RecordedRequest; gone: AbortSignal } {
  const recorded: RecordedRequest = {
    body,
    headers,
    requestId,
    receivedAt: Date.now(),
    hungUpAt: null,
    answeredAt: null,
    usage: null,
  };
  const gone = new AbortController();
  response.on('close', () => {
    if (response.writableFinished) recorded.answeredAt = Date.now();
    else recorded.hungUpAt = Date.now();
    gone.abort();
  });
  return { recorded, gone: gone.signal };
}

async function stream(
  response: ServerResponse,
  answer: Answer,
  reply: ScriptedAnswer,
  gone: AbortSignal,
  requestId: string,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': requestId,
  });
  const { change = (events: StreamEvent[]) => events } = reply;
  for (const [sent, event] of change(encodeEvents(answer)).entries()) {
    if (gone.aborted) return;
    if (reply.dripMs && !(await waited(reply.dripMs, gone))) return;
    if (sent === reply.cutAfterEvents) return cut(response);
    if (sent === reply.errorEventMidStream?.afterEvents) {
      const { type, message } = reply.errorEventMidStream;
      response.end(encodeServerSentEvent(encodeError(type, message ?? type, requestId)));
      return;
    }
    response.write(encodeServerSentEvent(event));
    if (sent === 0 && reply.silentMs && !(await waited(reply.silentMs, gone))) return;
  }
  response.end();
}

function contentOf(reply: ScriptedAnswer): AnswerBlock[] {
  const content: AnswerBlock[] = [];
  if (reply.text)
    content.push({
      type: 'text',
      text: reply.text,
      ...(reply.citations ? { citations: reply.citations } : {}),
    });
  for (const use of reply.toolUses ?? []) {
    content.push({
      type: 'tool_use',
      id: use.id ?? newId('toolu'),
      name: use.name,
      input: use.input ?? {},
      ...(use.rawInput === undefined ? {} : { rawInput: use.rawInput }),
    });
  }
  return content;
}

function playFault(response: ServerResponse, fault: ScriptedFault, requestId: string): void {
  if (fault.status === 0) {
    response.destroy();
    return;
  }
  const type = fault.errorType ?? 'api_error';
  sendError(response, type, fault.message ?? type, requestId, {
    status: fault.status,
    headers: fault.headers ?? {},
  });
}

/** Lets what was written reach the client, then cuts. */
async function cut(response: ServerResponse): Promise<void> {
  await sleep(20);
  response.destroy();
}

async function waited(ms: number, gone: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal: gone }).catch(() => false);
}
