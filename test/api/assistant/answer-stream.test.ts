import { jest } from '@jest/globals';
import { AnswerStream } from '../../../api/assistant/wire/answer-stream.ts';
import { answerDataStream } from '../../../api/assistant/wire/v1-data-stream.ts';
import { uiMessageStream } from '../../../api/assistant/wire/v2-ui-message-stream.ts';
import type { AnswerEvent } from '../../../api/assistant/wire/answer-events.ts';

const encoding = uiMessageStream({ topLevelThreadId: false });
const text = (word: string): AnswerEvent => ({ type: 'text', id: 't', text: word });
const END: AnswerEvent = { type: 'text-end', id: 't' };
const textOf = (frame: string) =>
  [...frame.matchAll(/"delta":"(.*?)"/g)].map(match => match[1]).join('');

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('writing', () => {
  it('sends the first delta at once and then at most one write in 20 ms, losing nothing', async () => {
    const seen: { at: number; text: string }[] = [];
    const stream = new AnswerStream(encoding).on('data', (frame: Buffer) =>
      seen.push({ at: performance.now(), text: textOf(frame.toString()) }),
    );
    for (let i = 0; i < 60; i++) {
      stream.send(text(`${i} `));
      await jest.advanceTimersByTimeAsync(2);
      if (i === 0) expect(seen).toMatchObject([{ text: '0 ' }]);
    }
    await jest.advanceTimersByTimeAsync(20);
    expect(seen.map(write => write.text).join('')).toBe(
      Array.from({ length: 60 }, (_, i) => `${i} `).join(''),
    );
    expect(seen.slice(1).map(({ at }, i) => at - seen[i]!.at)).toEqual(Array(6).fill(20));
    stream.destroy();
  });

  it('does not hold back text for what comes later', async () => {
    const seen: string[] = [];
    const stream = new AnswerStream(encoding).on('data', (frame: Buffer) =>
      seen.push(textOf(frame.toString())),
    );
    stream.send(text('a'));
    stream.send(text('b'));
    await jest.advanceTimersByTimeAsync(20); // nothing else is said meanwhile
    expect(seen).toEqual(['a', 'b']);
    stream.destroy();
  });

  it('writes what follows text after it', async () => {
    const stream = new AnswerStream(encoding);
    for (const event of [text('a'), text('b'), END]) stream.send(event);
    stream.end();
    let all = '';
    for await (const frame of stream) all += String(frame);
    expect(all.indexOf('"b"')).toBeGreaterThan(0);
    expect(all.indexOf('"b"')).toBeLessThan(all.indexOf('text-end'));
  });

  it('says when the reader is behind, and when it has caught up or left', async () => {
    const stream = new AnswerStream(encoding);
    expect(stream.full()).toBeUndefined();
    stream.send(text('x'.repeat(1_000_000)));
    let waits = true;
    void stream.full()!.then(() => {
      waits = false;
    });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(waits).toBe(true);
    stream.resume();
    await jest.advanceTimersByTimeAsync(1);
    expect(waits).toBe(false);
    expect(stream.full()).toBeUndefined();

    stream.pause();
    stream.send(END);
    stream.send({ type: 'error', sentence: 'x'.repeat(1_000_000) });
    const left = stream.full()!;
    stream.destroy();
    await left;
    stream.send(END); // to nobody
  });
});

describe('a silent stream', () => {
  it.each([
    ['v1', answerDataStream({ parts: true }), '\n'],
    ['v2', encoding, ': keep-alive\n\n'],
  ] as const)('is kept alive, until it ends: %s', async (_name, wire, frame) => {
    const seen: string[] = [];
    const stream = new AnswerStream(wire).on('data', (one: Buffer) => seen.push(one.toString()));
    await jest.advanceTimersByTimeAsync(40_000);
    expect(seen).toEqual([frame, frame]);
    stream.end();
    await jest.advanceTimersByTimeAsync(40_000);
    expect(seen).toEqual([frame, frame]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('says nothing more to a reader who is slow to take the rest', async () => {
    const stream = new AnswerStream(encoding);
    stream.send(text('x'.repeat(100_000)));
    stream.end();
    await jest.advanceTimersByTimeAsync(40_000);
    let seen = '';
    for await (const frame of stream) seen += String(frame);
    expect(textOf(seen)).toHaveLength(100_000);
    expect(seen).not.toContain('keep-alive');
  });
});
