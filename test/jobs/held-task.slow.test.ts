import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { forkWorker } from '../support/fork-worker.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, held, THINKING } from '../support/replies.ts';
import { until } from '../support/until.ts';

const GUIDE = '# Guide\n\nThe first line.\n';

/**
 * A worker stands still while Temporal gives it a workflow task, so that it begins the task when it
 * wakes up. Meanwhile the task is repeated elsewhere, with a follow-up, and takes another way: what
 * the first would do next has no result of anybody yet.
 */
describe('a worker that holds a workflow task', () => {
  const edited = held(EDIT);
  let stack: JobStack;
  let frozen: ChildProcess;
  let other: ChildProcess;

  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': GUIDE },
      noWorker: true,
      script: ({ messages }) => {
        const said = JSON.stringify(messages);
        if (said.includes('"Hold"')) return THINKING;
        if (!said.includes('"Edit it"')) return { text: 'Nothing to do.' };
        return said.includes('first becomes second') ? FINISH : edited.reply;
      },
    });
    // Its only place for activities is taken, so that it has workflow tasks only.
    frozen = (await forkWorker(stack, { WORKER_MAX_ACTIVITIES: '1' })).child;
    await stack.create('Hold');
    await until('the model holds an activity', () => stack.model.requests.length === 1);
    other = (await forkWorker(stack, { ASK_AT: 'settleTurn' })).child;
  }, 120_000);
  afterAll(async () => {
    for (const child of [frozen, other]) child.kill('SIGKILL');
    await stack.close();
  });

  const historyOf = async ({ id }: JobBody) =>
    (await stack.temporal.workflow.getHandle(id).fetchHistory()).events ?? [];
  const isWithFrozen = async (job: JobBody) =>
    (await historyOf(job))
      .map(event => event.workflowTaskCompletedEventAttributes?.identity)
      .findLast(Boolean)
      ?.startsWith(`${frozen.pid}@`);
  const pendingTask = async ({ id }: JobBody) =>
    (await stack.temporal.workflow.getHandle(id).describe()).raw.pendingWorkflowTask;

  /** A job whose next workflow task goes to the worker that will stand still, once `other` goes on. */
  async function jobOfFrozen(): Promise<JobBody> {
    const asks = on(other, 'message');
    for (let i = 0; i < 12; i++) {
      const job = await stack.create('Look');
      await asks.next(); // at the end of the turn
      if (await isWithFrozen(job)) return job;
      other.send('go');
      await stack.rest(job.id);
    }
    throw new Error('no job came to that worker');
  }

  it('ends no turn that another runs when it wakes up', async () => {
    const job = await jobOfFrozen();
    frozen.kill('SIGSTOP');
    other.send('go');
    await until('it has the task', async () => Boolean((await pendingTask(job))?.startedTime));
    await stack.message(job.id, 'Edit it');
    const asked = () =>
      stack.model.requests.some(({ body }) => JSON.stringify(body).includes('"Edit it"'));
    await until('the follow-up is worked on', asked, 60_000);
    const row = async () =>
      (await stack.pool.query('select * from jobs where id = $1', [job.id])).rows[0];
    const before = await row();
    frozen.kill('SIGCONT');
    await delay(5_000);
    expect(await row()).toEqual(before);
    edited.release();
    expect(await stack.rest(job.id)).toMatchObject({ status: 'completed' });
    const { rows } = await stack.pool.query<{ type: string }>(
      `select type from job_events where job_id = $1 and type in ('rewound', 'finish')`,
      [job.id],
    );
    expect(rows.map(({ type }) => type)).toEqual(['finish']);
  }, 180_000);
});
