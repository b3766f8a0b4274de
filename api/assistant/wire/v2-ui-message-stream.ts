import type { AnswerEvent, Encoding, Source } from './answer-events.ts';

/**
 * The chat SDK's UI message stream (its versions 5 and later): server-sent events of JSON chunks.
 * Releases before July 2026 refuse any key that they do not know, so every chunk contains only keys
 * that the first release of each major accepts. `topLevelThreadId` is the one exception, for
 * readers of the raw events.
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
      return [{ type: 'start', messageId: event.messageId, messageMetadata: metadata(event) }];
    case 'search':
      return [{ type: 'start-step' }, searchCall(event)];
    case 'found':
      return [searchResult(event), { type: 'finish-step' }];
    case 'text-start':
      return [{ type: 'start-step' }, { type: 'text-start', id: event.id }];
    case 'text':
      return [{ type: 'text-delta', id: event.id, delta: event.text }];
    case 'text-end':
      return [{ type: 'text-end', id: event.id }];
    case 'step-end':
      return [...event.sources.map(sourceUrl), { type: 'finish-step' }];
    case 'error':
      return [{ type: 'error', errorText: event.sentence }];
    case 'finish':
      return [
        {
          type: 'finish',
          messageMetadata: {
            ...metadata(event),
            ...(event.reason === 'length' && { finishReason: event.reason }),
          },
          ...(topLevelThreadId && { threadId: event.threadId }),
        },
      ];
  }
}

function metadata({ threadId }: { threadId: string }) {
  return { threadId };
}

function searchCall({ callId, query }: AnswerEvent & { type: 'search' }) {
  return {
    type: 'tool-input-available',
    toolCallId: callId,
    toolName: 'search',
    input: { query },
    providerExecuted: true,
  };
}

function searchResult({ callId, results }: AnswerEvent & { type: 'found' }) {
  return {
    type: 'tool-output-available',
    toolCallId: callId,
    output: { results },
    providerExecuted: true,
  };
}

function sourceUrl({ id, url, title }: Source) {
  return { type: 'source-url', sourceId: id, url, title };
}
