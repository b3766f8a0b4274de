import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OFFLINE_MODEL, PLAN_TOOL } from '../shared/agent-text.ts';
import { nextStep } from './agent.ts';
import { answerQuestion } from './answers/answer.ts';
import { closeServer, listen, readJson, sendError } from './protocol/http.ts';
import {
  type Answer,
  encodeEvents,
  encodeMessage,
  encodeServerSentEvent,
  type MessagesRequest,
  newId,
} from './protocol/messages-protocol.ts';
import { refuse } from './protocol/refuse.ts';

export interface OfflineModel {
  /** For the SDK's `baseURL`. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the embedded rule-based model: the Messages API over HTTP, streamed and not. It keeps
 * nothing between requests, so any of several may answer any request. Port 0 takes a free one.
 */
export async function startOfflineModel({
  host = '127.0.0.1',
  port = 0,
}: { host?: string; port?: number } = {}): Promise<OfflineModel> {
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : 'The offline model failed.';
      if (response.headersSent) response.destroy();
      else sendError(response, 'api_error', message, newId('req'));
    });
  });
  // Longer than an agent's tools take between two calls: a client may find a connection cut.
  server.keepAliveTimeout = 120_000;
  const url = await listen(server, host, port);
  return { url, close: () => closeServer(server) };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = newId('req');
  if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages')
    return sendError(response, 'not_found_error', 'Not found', requestId);
  const body = await readJson(request);
  const refusal = refuse(body);
  if (refusal) return sendError(response, 'invalid_request_error', refusal, requestId);
  const answer = decide(body as MessagesRequest);
  const isStreamed = (body as MessagesRequest).stream === true;
  response.writeHead(200, {
    'content-type': isStreamed ? 'text/event-stream; charset=utf-8' : 'application/json',
    'request-id': requestId,
  });
  if (!isStreamed) return void response.end(JSON.stringify(encodeMessage(answer)));
  await pipeline(Readable.from(encodeEvents(answer).map(encodeServerSentEvent)), response);
}

/** An agent's request offers `finish`; anything else is a question to the assistant. */
function decide(request: MessagesRequest): Answer {
  const isAgent = request.tools?.some(({ name }) => name === 'finish' || name === PLAN_TOOL);
  const content = isAgent ? nextStep(request) : answerQuestion(request);
  // Near enough for English and Markdown: four bytes each.
  const [input = 0, output = 0] = [request, content].map(value =>
    Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4),
  );
  return {
    model: OFFLINE_MODEL,
    content,
    stopReason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    usage: { input, cacheWrite: 0, cacheRead: 0, output },
  };
}
