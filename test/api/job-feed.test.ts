import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { JobFeed } from '../../jobs/watch/job-feed.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';

let database: TestDatabase;
let feed: JobFeed;
beforeEach(async () => {
  database = await testDatabase();
  feed = new JobFeed(database.pool, pino({ level: 'silent' }));
  feed.open();
  await listening();
  // It wakes everybody once it listens: a first wait is over then, or by its own news.
  const first = feed.watch('job_first');
  await notify('job_first');
  await first.next(5_000);
  first.stop();
});
afterEach(async () => {
  feed.close();
  await database.close();
});

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
  const mine = feed.watch('job_a');
  const other = feed.watch('job_b');
  const [woken, slept] = [timed(mine.next(5_000)), timed(other.next(400))];
  await notify('job_a');
  expect((await woken).ms).toBeLessThan(4_500);
  expect((await slept).ms).toBeGreaterThan(350);
});

it('leaves who waits for the end alone while the job is running', async () => {
  const all = feed.watch('job_a');
  const end = feed.watch('job_a', { untilIdle: true });
  const [woken, slept] = [timed(all.next(5_000)), timed(end.next(400))];
  await notify('job_a active');
  expect((await woken).ms).toBeLessThan(4_500);
  expect((await slept).ms).toBeGreaterThan(350);
  const over = timed(end.next(5_000));
  await notify('job_a');
  expect((await over).ms).toBeLessThan(4_500);
});

it('loses nothing that comes between two waits', async () => {
  const watch = feed.watch('job_a');
  await notify('job_a');
  await sleep(100);
  expect((await timed(watch.next(5_000))).ms).toBeLessThan(4_500);
  expect((await timed(watch.next(200))).ms).toBeGreaterThan(150);
});

it('listens anew when its connection dies, and everybody looks again', async () => {
  const watch = feed.watch('job_a');
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
  const watches = Array.from({ length: 200 }, (_, i) => feed.watch(`job_${i % 20}`));
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
  const waiting = timed(feed.watch('job_a').next(10_000, controller.signal));
  controller.abort();
  expect(await waiting).toEqual({ goOn: false, ms: expect.any(Number) });
  expect((await waiting).ms).toBeLessThan(9_500);
});
