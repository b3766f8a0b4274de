import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { announceDelta } from '../../db/jobs/notifications.ts';
import { JobFeed } from '../../jobs/watch/job-feed.ts';
import { jobWatches } from '../../shared/metrics/metrics.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';

let database: TestDatabase;
let feed: JobFeed;
beforeEach(async () => {
  database = await testDatabase();
  feed = new JobFeed(database.pool, pino({ level: 'silent' }));
  feed.open();
  await listening();
  // It wakes everybody once it listens: a first wait is over then, or by its own news.
  const first = feed.watch('job_first', reader());
  await notify('job_first');
  await first.next(5_000);
  first.stop();
});
afterEach(async () => {
  feed.close();
  await database.close();
});

const reader = (end = new AbortController().signal, id = 'key_a') => ({ id, end });
const notify = (jobId: string) =>
  database.pool.query(`select pg_notify('job_events', $1)`, [jobId]);
const listeners = async () =>
  (
    await database.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    )
  ).rows;

async function listening(): Promise<number> {
  for (let i = 0; i < 100; i++) {
    const [listener] = await listeners();
    if (listener) return listener.pid;
    await sleep(50);
  }
  throw new Error('nobody listens');
}

async function timed(waiting: Promise<boolean>): Promise<{ goOn: boolean; ms: number }> {
  const began = performance.now();
  return { goOn: await waiting, ms: performance.now() - began };
}

it('wakes who waits for the job, and nobody else', async () => {
  const mine = feed.watch('job_a', reader());
  const other = feed.watch('job_b', reader());
  const [woken, slept] = [timed(mine.next(5_000)), timed(other.next(400))];
  await notify('job_a');
  expect((await woken).ms).toBeLessThan(4_500);
  expect((await slept).ms).toBeGreaterThan(350);
});

it('leaves who waits for the end alone while the job is running', async () => {
  const all = feed.watch('job_a', reader());
  const end = feed.watch('job_a', reader(), { untilIdle: true });
  const [woken, slept] = [timed(all.next(5_000)), timed(end.next(400))];
  await notify('job_a active');
  expect((await woken).ms).toBeLessThan(4_500);
  expect((await slept).ms).toBeGreaterThan(350);
  const over = timed(end.next(5_000));
  await notify('job_a');
  expect((await over).ms).toBeLessThan(4_500);
});

it('loses nothing that comes between two waits', async () => {
  const watch = feed.watch('job_a', reader());
  await notify('job_a');
  await sleep(100);
  expect((await timed(watch.next(5_000))).ms).toBeLessThan(4_500);
  expect((await timed(watch.next(200))).ms).toBeGreaterThan(150);
});

it('listens anew when its connection dies, and everybody looks again', async () => {
  const watch = feed.watch('job_a', reader());
  const waiting = timed(watch.next(10_000));
  const first = await listening();
  await database.pool.query('select pg_terminate_backend($1)', [first]);
  expect((await waiting).ms).toBeLessThan(9_500);
  expect(await listening()).not.toBe(first);
  const again = timed(watch.next(5_000));
  await notify('job_a');
  expect((await again).ms).toBeLessThan(4_500);
});

it('uses one connection for two hundred waits, and ends them all when it closes', async () => {
  const watches = Array.from({ length: 200 }, (_, i) => feed.watch(`job_${i % 20}`, reader()));
  const waiting = watches.map(watch => timed(watch.next(10_000)));
  expect(await listeners()).toHaveLength(1);
  feed.close();
  for (const { goOn, ms } of await Promise.all(waiting)) {
    expect(goOn).toBe(false);
    expect(ms).toBeLessThan(9_500);
  }
});

it('ends a wait when its caller goes away', async () => {
  const controller = new AbortController();
  const waiting = timed(feed.watch('job_a', reader(controller.signal)).next(10_000));
  controller.abort();
  expect(await waiting).toEqual({ goOn: false, ms: expect.any(Number) });
  expect((await waiting).ms).toBeLessThan(9_500);
});

it('forgets a reader who has left, before the first wait too, and counts each reader apart', async () => {
  const controller = new AbortController();
  const gone = AbortSignal.abort();
  const open = async () => (await jobWatches.get()).values[0]!.value;
  const before = await open();
  for (let i = 0; i < 1_000; i++) feed.watch('job_a', reader(controller.signal));
  expect(() => feed.watch('job_a', reader())).toThrow('Too many streams are open.');
  feed.watch('job_a', reader(gone, 'key_b')).stop();
  controller.abort();
  for (let i = 0; i < 6_000; i++) feed.watch('job_a', reader(gone));
  expect(await open()).toBe(before);
});

it('ignores what is no notification of a release', async () => {
  const watch = feed.watch('job_a', reader(), { deltas: true });
  for (const payload of ['hello', '{}', 'null', '{"jobId":"job_a","text":3}'])
    await database.pool.query(`select pg_notify('job_deltas', $1)`, [payload]);
  const delta = { turn: 1, step: 1, attempt: 1, text: 'Hi', tokens: 7 };
  await announceDelta(database.pool, { jobId: 'job_a', ...delta });
  await watch.next(5_000);
  expect(watch.takeDeltas()).toEqual([{ type: 'text_delta', ...delta }]);
});
