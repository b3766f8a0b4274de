import { setTimeout as sleep } from 'node:timers/promises';
import { uiMessageStream } from '../../api/assistant/encode-v2.ts';
import type { AnswerEvent } from '../../api/assistant/events.ts';
import { frames } from '../../api/assistant/frames.ts';

const encoding = uiMessageStream({ topLevelThreadId: false });
const text = (word: string): AnswerEvent => ({ type: 'text', id: 't', text: word });
const textOf = (frame: string) => [...frame.matchAll(/"delta":"(.*?)"/g)].map(match => match[1]).join('');

async function timed(events: AsyncGenerator<AnswerEvent>): Promise<{ at: number; frame: string }[]> {
  const begin = performance.now();
  const seen = [];
  for await (const frame of frames(events, encoding)) seen.push({ at: performance.now() - begin, frame });
  return seen;
}

describe('writing', () => {
  it('sends the first delta at once and then at most one write in 20 ms, losing nothing', async () => {
    async function* source(): AsyncGenerator<AnswerEvent> {
      for (let i = 0; i < 60; i++) {
        yield text(`${i} `);
        await sleep(2);
      }
      yield { type: 'text-end', id: 't' };
    }
    const seen = await timed(source());
    expect(seen[0]!.at).toBeLessThan(1_000);
    expect(textOf(seen[0]!.frame)).toBe('0 ');
    expect(seen.map(({ frame }) => textOf(frame)).join('')).toBe(Array.from({ length: 60 }, (_, i) => `${i} `).join(''));
    const gaps = seen.slice(1, -1).map(({ at }, i) => at - seen[i]!.at);
    expect(gaps.length).toBeGreaterThan(3);
    // A timer may be late and the next one early for it: on the whole, no more than one in 20 ms.
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeGreaterThanOrEqual(18);
  });

  it('does not hold back text for what comes later', async () => {
    async function* source(): AsyncGenerator<AnswerEvent> {
      yield text('a');
      yield text('b');
      await sleep(300);
      yield text('c');
    }
    const seen = await timed(source());
    expect(seen.map(({ frame }) => textOf(frame))).toEqual(['a', 'b', 'c']);
    expect(seen[1]!.at).toBeLessThan(200);
  });

  it('writes what follows text after it', async () => {
    async function* source(): AsyncGenerator<AnswerEvent> {
      yield text('a');
      yield text('b');
      yield { type: 'text-end', id: 't' };
    }
    const all = (await timed(source())).map(({ frame }) => frame).join('');
    expect(all.indexOf('"b"')).toBeLessThan(all.indexOf('text-end'));
  });

  it('asks for the next event only when the last one was taken', async () => {
    let asked = 0;
    async function* source(): AsyncGenerator<AnswerEvent> {
      for (;;) {
        asked += 1;
        yield { type: 'text-end', id: 't' };
      }
    }
    const stream = frames(source(), encoding);
    for (let i = 0; i < 3; i++) await stream.next();
    await sleep(30);
    expect(asked).toBe(3);
    await stream.return(undefined);
  });

  it('ends its source when the reader stops', async () => {
    let ended = false;
    async function* source(): AsyncGenerator<AnswerEvent> {
      try {
        for (;;) yield text('a');
      } finally {
        ended = true;
      }
    }
    const stream = frames(source(), encoding);
    await stream.next();
    await stream.return(undefined);
    expect(ended).toBe(true);
  });
});
