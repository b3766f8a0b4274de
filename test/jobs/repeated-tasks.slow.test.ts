import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { forkWorker } from '../support/fork-worker.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, finish } from '../support/replies.ts';
import { until } from '../support/until.ts';

const GUIDE = '# Guide\n\nThe first line.\n';
/** What each instruction makes of the page. */
const EDITS = {
  'Shout it': ['first', 'FIRST'],
  'Undo that': ['FIRST', 'first'],
} as const;

function script({ messages }: { messages: unknown[] }) {
  const last = (text: string) =>
    messages.findLastIndex(message => JSON.stringify(message).includes(text));
  const asked = Object.keys(EDITS).map(prompt => last(`"${prompt}"`));
  for (const [i, [from, to]] of Object.values(EDITS).entries())
    if ((asked[i] ?? -1) > last(`${from} becomes ${to}.`)) return edit(from, to);
  return Math.max(...asked) > last('"finish"') ? finish('Shout') : { text: 'Nothing to do.' };
}

/**
 * A worker dies, or stands still, in the middle of a workflow task, and what arrives before another
 * one repeats the task makes it take another way.
 */
describe('a workflow task that is repeated after something has arrived', () => {
  const stacks: JobStack[] = [];
  const children: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(stacks.map(stack => stack.close()));
  });

  /** A job whose first worker reaches a point that `faults` name; then `meanwhile`, then a second. */
  async function run(
    faults: Record<string, string>,
    meanwhile: (stack: JobStack, job: JobBody) => Promise<unknown>,
  ): Promise<{ stack: JobStack; job: JobBody; first: ChildProcess; reached: () => string[] }> {
    const stack = await startJobStack({
      files: { 'docs/guide.md': GUIDE },
      script,
      noWorker: true,
    });
    stacks.push(stack);
    // What is fetched already is prepared in a local activity.
    const before = await stack.startWorker();
    await stack.rest((await stack.create('Look')).id);
    await before.stop();
    const marker = join(mkdtempSync(join(tmpdir(), 'docent-repeated-')), 'reached');
    const first = (await forkWorker(stack, { ...faults, KILL_MARKER: marker })).child;
    const second = (await forkWorker(stack, { STANDBY: '1' })).child;
    children.push(first, second);
    const created = await stack.create('Shout it');
    const reached = () => (existsSync(marker) ? readdirSync(marker) : []);
    await until('the point is reached', () => reached().length > 0);
    await meanwhile(stack, created);
    second.send('work');
    // Each repeat of the task may go to a poll of a worker that stands still, for ten seconds.
    return { stack, job: await stack.rest(created.id, 90_000), first, reached };
  }

  const pageOf = (stack: JobStack, job: JobBody) =>
    stack.git('show', `${job.source.ref ?? 'main'}:docs/guide.md`);
  const cancel = async (stack: JobStack, { id }: JobBody) =>
    await stack.temporal.workflow.getHandle(id).signal('cancel');
  const followUp = (at: JobStack, { id }: JobBody) => at.message(id, 'Undo that');
  const POINTS = ['prepare:after', 'planPublish:after', 'push:effect', 'push:after'];

  it.each(POINTS)(
    'killed at %s: a follow-up is carried out',
    async KILL_AT => {
      const { stack, job } = await run({ KILL_AT }, followUp);
      await until('both are taken', async () => {
        const { rows } = await stack.pool.query<{ state: string }>(
          'select state from instructions where job_id = $1',
          [job.id],
        );
        return rows.length === 2 && rows.every(({ state }) => state === 'taken');
      });
      const done = await stack.rest(job.id);
      expect(done.status).toBe('completed');
      expect(pageOf(stack, done)).toBe(GUIDE);
    },
    120_000,
  );

  it.each(POINTS)(
    'killed at %s: a cancel tells the truth',
    async KILL_AT => {
      const { stack, job } = await run({ KILL_AT }, cancel);
      const published = job.status === 'completed';
      expect(pageOf(stack, job)).toBe(published ? GUIDE.replace('first', 'FIRST') : GUIDE);
      const branches = stack.git('branch', '--list', 'docent/shout-it-*').trim();
      expect(branches === '').toBe(!published);
    },
    120_000,
  );

  /** Wakes a worker up that stands still at a point: the job's row, before and after. */
  async function wakeUp(
    point: string,
    { stack, job, first, reached }: Awaited<ReturnType<typeof run>>,
  ): Promise<{ before: unknown; after: unknown }> {
    const row = async () =>
      (await stack.pool.query('select * from jobs where id = $1', [job.id])).rows[0];
    const before = await row();
    first.kill('SIGCONT');
    await until('it is awake', () => reached().includes(`${point}:awake`));
    await delay(5_000);
    return { before, after: await row() };
  }

  it.each(['prepare:after', 'planPublish:before', 'planPublish:after', 'reportTurn:before'])(
    'standing still at %s: changes nothing when it wakes up later',
    async STOP_AT => {
      const stopped = await run({ STOP_AT }, async (at, one) => {
        await cancel(at, one);
        await delay(11_000); // the workflow task times out
      });
      const { before, after } = await wakeUp(STOP_AT, stopped);
      expect(after).toEqual(before);
    },
    180_000,
  );

  it.each([
    ['a follow-up', 'planPublish:after', followUp],
    ['a cancel', 'prepare:after', cancel],
  ] as const)(
    'had the repeated task, too, before %s came: changes nothing when it wakes up at %s',
    async (_name, STOP_AT, then) => {
      const stopped = await run({ STOP_AT }, async (at, one) => {
        const handle = at.temporal.workflow.getHandle(one.id);
        const isRepeated = async () => {
          const task = (await handle.describe()).raw.pendingWorkflowTask;
          return (task?.attempt ?? 0) >= 2 && Boolean(task?.startedTime);
        };
        await until('the worker that stands still has the repeated task', isRepeated, 30_000);
        await then(at, one);
      });
      const { before, after } = await wakeUp(STOP_AT, stopped);
      expect(after).toEqual(before);
    },
    180_000,
  );
});
