import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { AnswerStream } from '../../api/assistant/answer-stream.ts';
import { dataStream } from '../../api/assistant/encode-v1.ts';
import { uiMessageStream } from '../../api/assistant/encode-v2.ts';
import type { AnswerEvent } from '../../api/assistant/events.ts';

const encoding = uiMessageStream({ topLevelThreadId: false });
const text = (word: string): AnswerEvent => ({ type: 'text', id: 't', text: word });
const END: AnswerEvent = { type: 'text-end', id: 't' };
const textOf = (frame: string) => [...frame.matchAll(/"delta":"(.*?)"/g)].map(match => match[1]).join('');

/** Lets `speak` say things, and notes when each write came. */
async function timed(speak: (stream: AnswerStream) => Promise<void>): Promise<{ at: number; frame: string }[]> {
  const begin = performance.now();
  const seen: { at: number; frame: string }[] = [];
  const stream = new AnswerStream(encoding);
  stream.on('data', (frame: Buffer) => seen.push({ at: performance.now() - begin, frame: frame.toString() }));
  const ended = new Promise(resolve => stream.once('close', resolve));
  await speak(stream);
  stream.end();
  await ended;
  return seen;
}

describe('writing', () => {
  it('sends the first delta at once and then at most one write in 20 ms, losing nothing', async () => {
    const seen = await timed(async stream => {
      for (let i = 0; i < 60; i++) {
        stream.say(text(`${i} `));
        await sleep(2);
      }
      stream.say(END);
    });
    expect(textOf(seen[0]!.frame)).toBe('0 ');
    expect(seen.map(({ frame }) => textOf(frame)).join('')).toBe(Array.from({ length: 60 }, (_, i) => `${i} `).join(''));
    const gaps = seen.slice(1, -1).map(({ at }, i) => at - seen[i]!.at);
    expect(gaps.length).toBeGreaterThan(3);
    // A timer may be late and the next one early for it: on the whole, no more than one in 20 ms.
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeGreaterThanOrEqual(18);
  });

  it('does not hold back text for what comes later', async () => {
    const seen: string[] = [];
    const stream = new AnswerStream(encoding).on('data', (frame: Buffer) => seen.push(textOf(frame.toString())));
    stream.say(text('a'));
    stream.say(text('b'));
    for (let i = 0; i < 1_000 && seen.length < 2; i++) await sleep(10); // nothing else is said meanwhile
    expect(seen).toEqual(['a', 'b']);
    stream.destroy();
  });

  it('writes what follows text after it', async () => {
    const seen = await timed(async stream => {
      for (const event of [text('a'), text('b'), END]) stream.say(event);
    });
    const all = seen.map(({ frame }) => frame).join('');
    expect(all.indexOf('"b"')).toBeGreaterThan(0);
    expect(all.indexOf('"b"')).toBeLessThan(all.indexOf('text-end'));
  });

  it('says when the reader is behind, and when it has caught up or left', async () => {
    const stream = new AnswerStream(encoding);
    expect(stream.full()).toBeUndefined();
    stream.say(text('x'.repeat(1_000_000)));
    let waits = true;
    const wait = stream.full()!.then(() => { waits = false; });
    await sleep(30);
    expect(waits).toBe(true);
    stream.resume();
    await wait;
    expect(stream.full()).toBeUndefined();

    stream.pause();
    stream.say(END);
    stream.say({ type: 'error', sentence: 'x'.repeat(1_000_000) });
    const left = stream.full()!;
    stream.destroy();
    await left;
    stream.say(END); // to nobody
  });
});

describe('a silent stream', () => {
  it.each([['v1', dataStream({ parts: true }), '\n'], ['v2', encoding, ': keep-alive\n\n']] as const)('is kept alive, until it ends: %s', async (_name, wire, frame) => {
    jest.useFakeTimers();
    try {
      const seen: string[] = [];
      const stream = new AnswerStream(wire).on('data', (one: Buffer) => seen.push(one.toString()));
      await jest.advanceTimersByTimeAsync(40_000);
      expect(seen).toEqual([frame, frame]);
      stream.end();
      await jest.advanceTimersByTimeAsync(40_000);
      expect(seen).toEqual([frame, frame]);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('says nothing more to a reader who is slow to take the rest', async () => {
    jest.useFakeTimers();
    try {
      const stream = new AnswerStream(encoding);
      stream.say(text('x'.repeat(100_000)));
      stream.end();
      await jest.advanceTimersByTimeAsync(40_000);
      let seen = '';
      for await (const frame of stream) seen += String(frame);
      expect(textOf(seen)).toHaveLength(100_000);
      expect(seen).not.toContain('keep-alive');
    } finally {
      jest.useRealTimers();
    }
  });
});
