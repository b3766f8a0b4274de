import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Thread, ThreadFailure } from '../../../shared/threads/thread.ts';
import { type PoolSettings, ThreadPool } from '../../../shared/threads/thread-pool.ts';
import type { TestQuestion } from './test-thread.ts';

const SETTINGS = {
  source: join(import.meta.dirname, 'test-thread.ts'),
  ...{ cpuMs: 20_000, patienceMs: 30_000, memoryMb: 64, most: 1, idleMs: 10_000 },
};

function poolOf(settings: Partial<PoolSettings> = {}) {
  const pool = new ThreadPool({ ...SETTINGS, ...settings });
  return (question: TestQuestion, options?: Parameters<ThreadPool['ask']>[1]) =>
    pool.ask<unknown>(question, options);
}

const failure = (reason: string) => expect.objectContaining({ name: 'ThreadFailure', reason });

describe('a task that needs more than it may', () => {
  it.each([
    ['cpu', 'spin', { cpuMs: 1_000 }],
    ['time', 'spin', { patienceMs: 1_000 }],
    ['memory', 'fill', {}],
    ['ended', 'exit', {}],
  ] as const)('%s: is ended, and the next one gets a new thread', async (reason, kind, limits) => {
    const ask = poolOf();
    await ask({ kind: 'count' });
    await expect(ask({ kind }, limits)).rejects.toEqual(failure(reason));
    expect(await ask({ kind: 'count' })).toBe(1);
  });

  it('of several questions of one call, all together', async () => {
    const pool = new ThreadPool(SETTINGS);
    const call = pool.use(
      async ask => {
        for (;;) await ask({ kind: 'echo', text: '', afterMs: 200 } satisfies TestQuestion);
      },
      { patienceMs: 1_500 },
    );
    await expect(call).rejects.toEqual(failure('time'));
  });

  it('does not pay for what its process takes to answer back', async () => {
    const ask = poolOf();
    const onAsked = async (name: string) => {
      await sleep(1_500);
      return name;
    };
    await ask({ kind: 'count' });
    expect(await ask({ kind: 'ask', names: ['a', 'b'] }, { patienceMs: 1_000, onAsked })).toBe(
      'a b',
    );
  });
});

it('what a task throws fails it alone', async () => {
  const ask = poolOf();
  const onAsked = (name: string) => {
    if (name === 'lost') throw new RangeError('it is lost');
    return `the ${name}`;
  };
  await expect(ask({ kind: 'throw' })).rejects.toEqual(
    new ThreadFailure('failed', 'no answer to this'),
  );
  expect(await ask({ kind: 'ask', names: ['one', 'other'] }, { onAsked })).toBe(
    'the one the other',
  );
  const lost = ask({ kind: 'ask', names: ['one', 'lost'] }, { onAsked });
  await expect(lost).rejects.toEqual(new RangeError('it is lost'));
  expect(await ask({ kind: 'count' })).toBe(4);
});

it('an abort ends a task and takes one that waits out of the queue', async () => {
  const ask = poolOf();
  const abort = new AbortController();
  const tasks = [ask({ kind: 'spin' }, abort), ask({ kind: 'count' }, abort)];
  const after = ask({ kind: 'count' });
  await sleep(500);
  abort.abort(new Error('never mind'));
  for (const task of tasks) await expect(task).rejects.toThrow('never mind');
  expect(await after).toBe(1);
  await expect(ask({ kind: 'count' }, abort)).rejects.toThrow('never mind');
});

it('tasks have a thread each, or share one if they may', async () => {
  const slow = { kind: 'echo', text: 'slow', afterMs: 1_000 } as const;
  const order: string[] = [];
  const note = async (name: string, task: Promise<unknown>) => {
    await task;
    order.push(name);
  };
  const [alone, shared] = [poolOf(), poolOf({ tasksPerThread: Infinity })];
  await Promise.all([note('slow', alone(slow)), note('quick', alone({ kind: 'count' }))]);
  await Promise.all([note('slow', shared(slow)), note('quick', shared({ kind: 'count' }))]);
  expect(order).toEqual(['slow', 'quick', 'quick', 'slow']);
});

it('an idle thread ends, and so does one whose answer nobody waits for', async () => {
  const ask = poolOf({ idleMs: 500 });
  await ask({ kind: 'count' });
  expect(await ask({ kind: 'count' })).toBe(2);
  await sleep(1_500);
  expect(await ask({ kind: 'count' })).toBe(1);

  const pool = new ThreadPool(SETTINGS);
  await pool.use(async lent => {
    void lent({ kind: 'spin' } satisfies TestQuestion).catch(() => undefined);
  });
  expect(await pool.ask({ kind: 'count' } satisfies TestQuestion)).toBe(1);
});

it('a thread that was ended refuses questions', async () => {
  const thread = new Thread(SETTINGS);
  const pending = thread.ask({ kind: 'spin' } satisfies TestQuestion);
  await Promise.all([expect(pending).rejects.toEqual(failure('ended')), thread.end()]);
  await expect(thread.ask({ kind: 'count' })).rejects.toEqual(failure('ended'));
  expect([thread.isUsable, thread.isAsked]).toEqual([false, false]);
});
