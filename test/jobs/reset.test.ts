import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { queryJob } from '../../jobs/workflow-client.ts';
import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { createLogger } from '../../shared/logger.ts';
import type { JobBody, JobStack } from '../support/job-stack.ts';
import { edit, finish, THINKING } from '../support/replies.ts';
import { until } from '../support/until.ts';
import { FILES, NO_SIGNAL, rewindStage } from './rewind-stage.ts';
import { slowly } from '../support/slow.ts';

const stage = rewindStage();
const { path, rewind, play, untilAsked, messages, diff, show, pulls, publishedTwice, reset } =
  stage;
let stack: JobStack;
beforeAll(async () => {
  stack = await stage.start();
});
afterAll(() => stack.close());

describe('a bare reset', () => {
  it('of the Temporal CLI: follow-ups are repeated, and the branch is built upon', async () => {
    const before = await publishedTwice();
    const handle = stack.temporal.workflow.getHandle(before.id);
    const { events } = await handle.fetchHistory();
    const asked = events?.find(
      event => event.activityTaskScheduledEventAttributes?.activityType?.name === 'callModel',
    );
    play(edit('first', 'very first'), edit('second', 'next'), finish('Say very'));
    reset(before, asked?.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId);
    await untilAsked(3);
    const done = await stack.rest(before.id);
    expect(done).toMatchObject({
      status: 'completed',
      prLink: before.prLink,
      source: before.source,
    });
    expect(show(done)).toContain('The very first line.\n\nThe next line.');
    expect(show(done, 'docs/other.md')).toBe(FILES['docs/other.md']);
    expect((await pulls(done)).length).toBe(1);
    expect(
      (await messages(done)).messages
        .map(({ type, text, state }) => [type, state ?? text])
        .slice(0, 2),
    ).toEqual([
      ['instruction', 'taken'],
      ['instruction', 'taken'],
    ]);
  });

  it('to before a cancel: goes on without it, and with the follow-up after it', async () => {
    play(edit('first', 'FIRST'), THINKING);
    const job = await stack.create('Shout');
    await untilAsked(2);
    await stack.call('POST', path(job, 'cancel'));
    expect(await stack.rest(job.id)).toMatchObject({ status: 'failed' });
    play({ text: 'Which one?' });
    await stack.message(job.id, 'And another');
    await stack.rest(job.id);
    const { events } = await stack.temporal.workflow.getHandle(job.id).fetchHistory();
    const asked = events?.find(
      event => event.activityTaskScheduledEventAttributes?.activityType?.name === 'callModel',
    );
    play(edit('first', 'FIRST'), finish('Shout'));
    reset(job, asked?.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId);
    await untilAsked(2);
    const done = await stack.rest(job.id);
    expect(done).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(show(done)).toContain('The FIRST line.');
    expect(
      (await messages(done)).messages.flatMap(({ type, state, turn }) =>
        type === 'instruction' ? [[state, turn]] : [],
      ),
    ).toEqual([
      ['taken', 1],
      ['taken', 1],
    ]);
  });

  /** Taken back to the first rest, without its follow-up. */
  async function resetToRest(before: JobBody): Promise<void> {
    const { events = [] } = await stack.temporal.workflow.getHandle(before.id).fetchHistory();
    const looked =
      events?.findIndex(
        event => event.workflowExecutionSignaledEventAttributes?.signalName === NO_SIGNAL,
      ) ?? -1;
    const rested = events
      ?.slice(looked)
      .find(event => event.workflowTaskCompletedEventAttributes)?.eventId;
    reset(before, rested, '--reapply-exclude', 'Signal');
  }

  it('to a moment of rest: shows with the next sweep what it was then, and goes on from there', async () => {
    const before = await publishedTwice();
    await resetToRest(before);
    await until('the job is what it was at the first rest', async () => {
      await sweepJobs({ ...stack, log: createLogger('silent') });
      const { todos } = await messages(before);
      return todos[0]?.content === 'First' && (await stack.job(before.id)).status === 'completed';
    });
    expect((await stack.job(before.id)).prLink).toBe(before.prLink);
    expect(
      (await messages(before)).messages.map(({ type, text, state, turn }) => [
        type,
        state ?? text,
        turn,
      ]),
    ).toEqual([
      ['instruction', 'taken', 1],
      ['instruction', 'dropped', 1],
      ['text', 'first becomes FIRST.', 1],
      ['outcome', 'Shout the first: done.', 1],
    ]);
    expect(await diff(before)).not.toContain('SECOND');
    play(edit('third', 'THIRD'), finish('Shout the third'), finish('Shout the third'));
    await stack.message(before.id, 'Shout the third');
    const done = await stack.rest(before.id);
    expect(done).toMatchObject({ status: 'completed', prLink: before.prLink });
    expect(show(done)).toContain('The FIRST line.\n\nThe second line.\n\nThe THIRD line.');
  });

  slowly(
    'so long ago that Temporal has deleted the run: what it undid does not run again',
    async () => {
      const before = await publishedTwice();
      await resetToRest(before);
      // Temporal takes its time to delete a run: it has as little of one that never was.
      await stack.pool.query('update jobs set run_id = $2 where id = $1', [
        before.id,
        randomUUID(),
      ]);
      await stack.pool.query(
        "update job_events set created_at = created_at - interval '31 days' where job_id = $1",
        [before.id],
      );
      play(edit('third', 'THIRD'), finish('Shout the third'), finish('Shout the third'));
      await stack.message(before.id, 'Shout the third');
      const done = await stack.rest(before.id);
      expect(done).toMatchObject({ status: 'completed', prLink: before.prLink });
      expect(show(done)).toContain('The FIRST line.\n\nThe second line.\n\nThe THIRD line.');
      const { messages: read } = await messages(before);
      expect(
        read.filter(({ type }) => type === 'instruction').map(({ text, state }) => [text, state]),
      ).toEqual([
        ['Shout the first', 'taken'],
        ['Shout the second', 'dropped'],
        ['Shout the third', 'taken'],
      ]);
    },
  );
});

describe('a rewind that fails on its way', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const instructions = async (job: JobBody) =>
    (
      await stack.pool.query<{ prompt: string; state: string }>(
        'select prompt, state from instructions where job_id = $1 order by seq',
        [job.id],
      )
    ).rows.map(({ prompt, state }) => [prompt, state]);
  const runs = async (job: JobBody) => [
    (await stack.temporal.workflow.getHandle(job.id).describe()).runId,
    (await stack.pool.query<{ run_id: string }>('select run_id from jobs where id = $1', [job.id]))
      .rows[0]?.run_id,
  ];

  /** A job that thinks, with a follow-up that nobody has read. */
  async function told(): Promise<JobBody> {
    play(edit('first', 'FIRST'), THINKING);
    const job = await stack.create('Shout');
    await untilAsked(2);
    await stack.message(job.id, 'Whisper');
    play(THINKING);
    return job;
  }

  it('by the death of its process: what is undone stays undone', async () => {
    const job = await told();
    let die = () => {};
    let isReset = false;
    const original = stack.temporal.workflowService.resetWorkflowExecution.bind(
      stack.temporal.workflowService,
    );
    jest
      .spyOn(stack.temporal.workflowService, 'resetWorkflowExecution')
      .mockImplementationOnce(async (request: object) => {
        await original(request);
        isReset = true;
        // Its connections die with a process.
        await stack.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where state = 'idle in transaction' and datname = current_database()`,
        );
        return new Promise((_, reject) => {
          die = () => reject(new Error('the end'));
        });
      });
    const call = rewind(job, { step: 2 });
    await until('the workflow is reset', () => isReset);
    await untilAsked(1);
    await stack.pool.query(
      "update jobs set updated_at = now() - interval '2 minutes' where id = $1",
      [job.id],
    );
    await stack.pool.query(
      "update instructions set created_at = created_at - interval '2 minutes' where job_id = $1",
      [job.id],
    );
    await sweepJobs({
      config: stack.config,
      pool: stack.pool,
      temporal: stack.temporal,
      log: createLogger('silent'),
    });
    expect(await queryJob(stack.temporal, job.id)).toMatchObject({ status: 'active', queue: 0 });
    expect(await instructions(job)).toEqual([
      ['Shout', 'taken'],
      ['Whisper', 'dropped'],
    ]);
    die();
    await call;
    await stack.call('POST', path(job, 'cancel'));
  });

  it('by a history that cannot be read any more: it has happened', async () => {
    const job = await told();
    const original = stack.temporal.workflowService.resetWorkflowExecution.bind(
      stack.temporal.workflowService,
    );
    jest
      .spyOn(stack.temporal.workflowService, 'resetWorkflowExecution')
      .mockImplementationOnce(async (request: object) => {
        jest
          .spyOn(stack.temporal.workflowService, 'getWorkflowExecutionHistory')
          .mockRejectedValueOnce(new Error('away'));
        return original(request);
      });
    expect((await rewind(job, { step: 2 })).status).toBe(200);
    const [current, owner] = await runs(job);
    expect(owner).toBe(current);
    expect(await instructions(job)).toEqual([
      ['Shout', 'taken'],
      ['Whisper', 'dropped'],
    ]);
    await stack.call('POST', path(job, 'cancel'));
  });

  it('before it happens: what waits waits on', async () => {
    const job = await told();
    jest
      .spyOn(stack.temporal.workflowService, 'resetWorkflowExecution')
      .mockRejectedValueOnce(new Error('away'));
    expect((await rewind(job, { step: 2 })).status).toBe(500);
    expect(await instructions(job)).toEqual([
      ['Shout', 'taken'],
      ['Whisper', 'waiting'],
    ]);
    await stack.call('POST', path(job, 'cancel'));
  });
});
