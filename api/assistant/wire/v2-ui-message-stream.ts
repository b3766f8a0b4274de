import type { AnswerEvent, Encoding } from './answer-events.ts';

/**
 * The chat SDK's UI message stream (its versions 5 and later): server-sent events of JSON chunks.
 * Releases before July 2026 refuse any key that they do not know, so every chunk holds only what
 * the first release of each major accepts; `topLevelThreadId` is the one exception, for readers of
 * the raw events.
 */
export function uiMessageStream(options: { topLevelThreadId: boolean }): Encoding {
  return {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-vercel-ai-ui-message-stream': 'v1',
    },
    encode: event =>
      chunksOf(event, options.topLevelThreadId).map(frame).join('') +
      (event.type === 'finish' ? 'data: [DONE]\n\n' : ''),
    keepAlive: ': keep-alive\n\n',
  };
}

function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function chunksOf(event: AnswerEvent, topLevelThreadId: boolean): object[] {
  switch (event.type) {
    case 'start':
      return [
        {
          type: 'start',
          messageId: event.messageId,
          messageMetadata: { threadId: event.threadId },
        },
      ];
    case 'search':
      return [
        { type: 'start-step' },
        {
          type: 'tool-input-available',
          toolCallId: event.callId,
          toolName: 'search',
          input: { query: event.query },
          providerExecuted: true,
        },
      ];
    case 'found':
      return [
        {
          type: 'tool-output-available',
          toolCallId: event.callId,
          output: { results: event.results },
          providerExecuted: true,
        },
        { type: 'finish-step' },
      ];
    case 'text-start':
      return [{ type: 'start-step' }, { type: 'text-start', id: event.id }];
    case 'text':
      return [{ type: 'text-delta', id: event.id, delta: event.text }];
    case 'text-end':
      return [{ type: 'text-end', id: event.id }];
    case 'step-end':
      return [
        ...event.sources.map(({ id, url, title }) => ({
          type: 'source-url',
          sourceId: id,
          url,
          title,
        })),
        { type: 'finish-step' },
      ];
    case 'error':
      return [{ type: 'error', errorText: event.sentence }];
    case 'finish':
      return [
        {
          type: 'finish',
          messageMetadata: { threadId: event.threadId },
          ...(topLevelThreadId && { threadId: event.threadId }),
        },
      ];
  }
}
