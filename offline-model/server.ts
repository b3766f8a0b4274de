import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { OFFLINE_MODEL } from '../shared/agent-text.ts';
import { nextStep } from './agent.ts';
import { answerQuestion } from './answers/answer.ts';
import { closeServer, listen, readJson, sendError } from './protocol/http.ts';
import {
  type Answer,
  type AnswerBlock,
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
 * nothing between requests, so any of several may answer any request.
 * Port 0 takes a free one.
 */
export async function startOfflineModel({
  host = '127.0.0.1',
  port = 0,
}: { host?: string; port?: number } = {}): Promise<OfflineModel> {
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        sendError(
          response,
          'api_error',
          error instanceof Error ? error.message : 'The offline model failed.',
          newId('req'),
        );
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
  if (!(body as MessagesRequest).stream) {
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': requestId });
    response.end(JSON.stringify(encodeMessage(answer)));
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': requestId,
  });
  for (const event of encodeEvents(answer)) {
    if (response.destroyed) return;
    if (!response.write(encodeServerSentEvent(event)))
      await Promise.race([
        new Promise(resolve => response.once('drain', resolve)),
        new Promise(resolve => response.once('close', resolve)),
      ]);
    else if (event.type === 'content_block_delta') await yieldToOthers();
  }
  response.end();
}

/** An agent's request offers `finish`; anything else is a question to the assistant. */
function decide(request: MessagesRequest): Answer {
  const content = request.tools?.some(tool => tool.name === 'finish')
    ? agentAnswer(request)
    : answerQuestion(request);
  return {
    model: OFFLINE_MODEL,
    content,
    stopReason: content.some(block => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    usage: {
      input: countTokens(request),
      cacheWrite: 0,
      cacheRead: 0,
      output: countTokens(content),
    },
  };
}

/** Near enough for English and Markdown: four bytes each. */
function countTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
}

function agentAnswer(request: MessagesRequest): AnswerBlock[] {
  const step = nextStep(request);
  if (step.text !== undefined) return [{ type: 'text', text: step.text }];
  return step.calls.map(call => ({
    type: 'tool_use',
    id: newId('toolu'),
    name: call.name,
    input: call.input,
  }));
}
