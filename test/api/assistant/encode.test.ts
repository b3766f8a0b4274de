import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { answerDataStream } from '../../../api/assistant/wire/v1-data-stream.ts';
import { uiMessageStream } from '../../../api/assistant/wire/v2-ui-message-stream.ts';
import { besideCheckout } from '../../support/checkout.ts';
import type { AnswerEvent, Encoding } from '../../../api/assistant/wire/answer-events.ts';

const results = [
  {
    path: '/install',
    url: 'https://docs.example.com/install',
    content: 'Run npm i.',
    metadata: { title: 'Installation' },
  },
];
const sources = [
  { id: 'src_1', url: 'https://docs.example.com/install#npm', title: 'Installation: npm' },
];
const usage = { inputTokens: 120, outputTokens: 42 };

const ANSWER: AnswerEvent[] = [
  { type: 'start', messageId: 'tmsg_1', threadId: 'thread_1' },
  { type: 'search', callId: 'call_1', messageId: 'tmsg_1', query: 'x' },
  { type: 'found', callId: 'call_1', results },
  { type: 'text-start', id: 'txt_1', messageId: 'tmsg_1' },
  { type: 'text', id: 'txt_1', text: 'Run\n' },
  { type: 'text', id: 'txt_1', text: '“npm i” 😀' },
  { type: 'text-end', id: 'txt_1' },
  { type: 'step-end', sources, last: true },
  { type: 'finish', threadId: 'thread_1', sources, usage, reason: 'stop' },
];
const FAILED: AnswerEvent[] = [
  ...ANSWER.slice(0, 5),
  { type: 'text-end', id: 'txt_1' },
  { type: 'step-end', sources: [], last: true },
  { type: 'error', sentence: 'Busy.' },
  { type: 'finish', threadId: 'thread_1', sources: [], usage, reason: 'error' },
];

const written = (encoding: Encoding, events: AnswerEvent[]) =>
  events.map(event => encoding.encode(event)).join('');
const sse = (text: string) =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map(frame => frame.replace(/^data: /, ''));
const types = (text: string) =>
  sse(text).map(data => (data === '[DONE]' ? data : (JSON.parse(data) as { type: string }).type));
const codes = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => line.slice(0, 1));

describe('the UI message stream (v2)', () => {
  const text = written(uiMessageStream({ topLevelThreadId: false }), ANSWER);

  it('has the decided chunks in the decided order', () => {
    expect(types(text)).toEqual([
      'start',
      'start-step',
      'tool-input-available',
      'tool-output-available',
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'source-url',
      'finish-step',
      'finish',
      '[DONE]',
    ]);
  });

  it('holds no key that the first release of a major refuses', () => {
    const keys = Object.fromEntries(
      sse(text)
        .slice(0, -1)
        .map(data => JSON.parse(data) as Record<string, unknown>)
        .map(chunk => [chunk['type'], Object.keys(chunk)]),
    );
    expect(keys).toEqual({
      start: ['type', 'messageId', 'messageMetadata'],
      'start-step': ['type'],
      'tool-input-available': ['type', 'toolCallId', 'toolName', 'input', 'providerExecuted'],
      'tool-output-available': ['type', 'toolCallId', 'output', 'providerExecuted'],
      'finish-step': ['type'],
      'text-start': ['type', 'id'],
      'text-delta': ['type', 'id', 'delta'],
      'text-end': ['type', 'id'],
      'source-url': ['type', 'sourceId', 'url', 'title'],
      finish: ['type', 'messageMetadata'],
    });
  });

  it('repeats the thread at the top level of finish only for readers of the raw events', () => {
    const finish = { type: 'finish', messageMetadata: { threadId: 'thread_1' } };
    expect(JSON.parse(sse(text).at(-2)!)).toEqual(finish);
    expect(
      JSON.parse(sse(written(uiMessageStream({ topLevelThreadId: true }), ANSWER)).at(-2)!),
    ).toEqual({ ...finish, threadId: 'thread_1' });
  });

  it('carries line breaks and wide characters unharmed', () => {
    const deltas = sse(text)
      .slice(0, -1)
      .map(data => JSON.parse(data) as { type: string; delta?: string })
      .filter(chunk => chunk.type === 'text-delta');
    expect(deltas.map(chunk => chunk.delta)).toEqual(['Run\n', '“npm i” 😀']);
  });

  it('ends properly after an error', () => {
    expect(types(written(uiMessageStream({ topLevelThreadId: false }), FAILED)).slice(5)).toEqual([
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'error',
      'finish',
      '[DONE]',
    ]);
  });
});

describe('the data stream (v1)', () => {
  it('has the decided lines in the decided order', () => {
    const text = written(answerDataStream({ parts: true }), ANSWER);
    expect(codes(text).join('')).toBe('f9aef00h82ed');
    expect(text).toContain(`a:${JSON.stringify({ toolCallId: 'call_1', result: results })}\n`);
    expect(text).toContain(
      'h:{"sourceType":"url","id":"src_1","url":"https://docs.example.com/install#npm","title":"Installation: npm"}\n',
    );
    expect(text).toContain(
      '8:[{"type":"finish","threadId":"thread_1"}]\n2:[{"type":"finish","threadId":"thread_1"}]\n',
    );
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      'd:{"finishReason":"stop","usage":{"promptTokens":120,"completionTokens":42},"threadId":"thread_1"}',
    );
  });

  it('spares clients before 4.1.20 the codes that they throw at', () => {
    const text = written(answerDataStream({ parts: false }), ANSWER);
    expect(codes(text).join('')).toBe('9ae0082ed');
    expect(text).toContain(
      '8:[{"type":"finish","threadId":"thread_1","sources":[{"sourceType":"url","id":"src_1"',
    );
  });

  it('ends properly after an error', () => {
    const text = written(answerDataStream({ parts: true }), FAILED);
    expect(codes(text).join('')).toBe('f9aef0382ed');
    expect(text).toContain('3:"Busy."\n');
    expect(text).toContain('"finishReason":"error"');
  });

  it('closes a step of text that another search follows', () => {
    const events: AnswerEvent[] = [
      ...ANSWER.slice(3, 7),
      { type: 'step-end', sources: [], last: false },
      ...ANSWER.slice(1),
    ];
    expect(codes(written(answerDataStream({ parts: true }), events)).join('')).toBe(
      'f00ef9aef00h82ed',
    );
  });
});

// The streams that were tried on every release; ours must have the keys of theirs, chunk by chunk.
const WIRE = besideCheckout('shared/conformance/chat-sdk/wire');
(existsSync(WIRE) ? describe : describe.skip)(
  'against the streams that every release parses (../shared is not always there)',
  () => {
    it.each(['v2-ideal-tool.txt', 'v2-error-mid.txt'])('%s', file => {
      const known = new Map<string, string[]>();
      for (const data of sse(readFileSync(join(WIRE, file), 'utf8'))) {
        if (data === '[DONE]') continue;
        const chunk = JSON.parse(data) as { type: string };
        known.set(chunk.type, Object.keys(chunk));
      }
      const ours = sse(
        written(
          uiMessageStream({ topLevelThreadId: false }),
          file.includes('error') ? FAILED : ANSWER,
        ),
      ).filter(data => data !== '[DONE]');
      for (const chunk of ours.map(data => JSON.parse(data) as { type: string })) {
        if (known.has(chunk.type))
          expect(known.get(chunk.type)).toEqual(expect.arrayContaining(Object.keys(chunk)));
      }
      expect(known.size).toBeGreaterThan(3);
    });
  },
);
