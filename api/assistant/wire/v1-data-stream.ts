import type { AnswerEvent, AnswerUsage, Encoding } from './answer-events.ts';

/**
 * The chat SDK's data stream (its version 4): lines `CODE:JSON`. Releases before 4.1.20 send no
 * `parts` and throw at the codes `f` and `h`; for them (`parts: false`) the annotation carries the
 * sources.
 */
export function answerDataStream(options: { parts: boolean }): Encoding {
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-vercel-ai-data-stream': 'v1',
    },
    encode: event =>
      linesOf(event, options.parts)
        .map(([code, value]) => `${code}:${JSON.stringify(value)}\n`)
        .join(''),
    keepAlive: '\n', // an empty line is the only thing that every release skips
  };
}

const STEP_BEFORE_LAST = {
  finishReason: 'tool-calls',
  usage: usageOf({ inputTokens: 0, outputTokens: 0 }),
  isContinued: false,
};

function linesOf(event: AnswerEvent, parts: boolean): [code: string, value: unknown][] {
  switch (event.type) {
    case 'start':
    case 'text-end':
      return [];
    case 'search':
      return [
        ...stepStart(event.messageId, parts),
        ['9', { toolCallId: event.callId, toolName: 'search', args: { query: event.query } }],
      ];
    case 'found':
      return [
        ['a', { toolCallId: event.callId, result: event.results }],
        ['e', STEP_BEFORE_LAST],
      ];
    case 'text-start':
      return stepStart(event.messageId, parts);
    case 'text':
      return [['0', event.text]];
    case 'step-end':
      if (!event.last) return [['e', STEP_BEFORE_LAST]];
      return parts ? event.sources.map(source => ['h', { sourceType: 'url', ...source }]) : [];
    case 'error':
      return [['3', event.sentence]];
    case 'finish':
      return finishLines(event, parts);
  }
}

function stepStart(messageId: string, parts: boolean): [string, unknown][] {
  return parts ? [['f', { messageId }]] : [];
}

function finishLines(event: AnswerEvent & { type: 'finish' }, parts: boolean): [string, unknown][] {
  const mark = { type: 'finish', threadId: event.threadId };
  const sources = event.sources.map(source => ({ sourceType: 'url', ...source }));
  const end = { finishReason: event.reason, usage: usageOf(event.usage) };
  return [
    ['8', [parts ? mark : { ...mark, sources }]],
    ['2', [mark]],
    ['e', { ...end, isContinued: false }],
    ['d', { ...end, threadId: event.threadId }],
  ];
}

function usageOf(usage: AnswerUsage) {
  return { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens };
}
