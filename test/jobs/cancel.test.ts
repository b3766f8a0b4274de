import { Client } from '@temporalio/client';
import { buildApi } from '../../api/app.ts';
import type { RunningWorker } from '../../worker/start-worker.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, THINKING } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

describe('cancel and archive', () => {
  let stack: JobStack;
  let worker: RunningWorker;
  let script: ScriptedReply[] = [];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script[played++] ?? { text: 'Nothing.' },
      noWorker: true,
    });
    worker = await stack.startWorker();
  });
  afterAll(() => stack.close());
  const play = (...replies: ScriptedReply[]) => {
    script = replies;
    played = 0;
  };
  const post = (jobId: string, verb: string) =>
    stack.call('POST', `/v2/agent/${stack.project.id}/job/${jobId}/${verb}`);

  it('ends the model call that is under way, keeps the diff, opens nothing, drops and names what waits', async () => {
    play(EDIT, THINKING);
    const created = await stack.create('Say second');
    await until('the model thinks', () => played === 2);
    await stack.message(created.id, 'And another thing');
    const { status, body } = await post(created.id, 'cancel');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: created.id });
    expect(await stack.rest(created.id, 25_000)).toMatchObject({ status: 'failed', prLink: null }); // long before the model would say more
    await until(
      'the model is hung up on',
      () => stack.model.requests.at(-1)?.hungUpAt != null,
      25_000,
    );
    const diff = await stack.call('GET', `/v2/agent/${stack.project.id}/job/${created.id}/diff`);
    expect(diff.body).toContain('+The second line.');
    const {
      rows: [row],
    } = await stack.pool.query<{ message_to_user: string }>(
      'select message_to_user from jobs where id = $1',
      [created.id],
    );
    expect(row?.message_to_user).toMatch(
      /Cancelled[^]*1 waiting instruction was dropped: “And another thing”/,
    );
    const {
      rows: [call],
    } = await stack.pool.query<{ outcome: string }>(
      'select outcome from model_calls where job_id = $1 order by started_at desc limit 1',
      [created.id],
    );
    expect(call?.outcome).toBe('cancelled');

    // The next turn starts from what was published, which is nothing; and one more cancel changes
    // nothing.
    expect((await post(created.id, 'cancel')).body).toMatchObject({ status: 'failed' });
    play({ text: 'What next?' });
    await stack.message(created.id, 'Start over');
    expect(await stack.rest(created.id)).toMatchObject({ status: 'completed', prLink: null });
    expect(
      (await stack.call('GET', `/v2/agent/${stack.project.id}/job/${created.id}/diff`)).body,
    ).toBe('');
  });

  it('that comes before the workflow begins ends the turn, and the model knows of it later', async () => {
    play({ text: 'What next?' });
    await worker.stop();
    const created = await stack.create('Say second');
    await stack.temporal.workflow.getHandle(created.id).signal('cancel');
    worker = await stack.startWorker();
    expect(await stack.rest(created.id)).toMatchObject({ status: 'failed', prLink: null });
    expect(played).toBe(0);
    await stack.message(created.id, 'Go on');
    expect(await stack.rest(created.id)).toMatchObject({ status: 'completed' });
    const asked = JSON.stringify(stack.model.requests.at(-1)?.body.messages);
    expect(asked).toMatch(/"Say second.*"Go on/);
    const { rows } = await stack.pool.query<{ state: string }>(
      'select state from instructions where job_id = $1',
      [created.id],
    );
    expect(rows.map(({ state }) => state)).toEqual(['taken', 'taken']);
  });

  it('reaches a job whose first activity ends while the cancel is under way', async () => {
    play(THINKING);
    await worker.stop();
    const created = await stack.create('Wait');
    const temporal = new Client({
      connection: stack.temporal.connection,
      interceptors: {
        workflow: [
          {
            query: () => Promise.reject(new Error('too slow')),
            async signal(input, next) {
              if (played === 0) {
                await stack.startWorker();
                await until('the model thinks', () => played === 1);
              }
              return next(input);
            },
          },
        ],
      },
    });
    const slow = await buildApi({ config: stack.config, pool: stack.pool, temporal });
    try {
      const answer = await slow.inject({
        method: 'POST',
        url: `/v2/agent/${stack.project.id}/job/${created.id}/cancel`,
        headers: { authorization: `Bearer ${stack.adminKey}` },
      });
      expect(answer.json()).toMatchObject({ status: 'failed' });
    } finally {
      await slow.close();
    }
  });

  it('archives a resting job, which takes no more instructions, and refuses an active one', async () => {
    play(THINKING);
    const active = await stack.create('Wait');
    await until('the model thinks', () => played === 1);
    expect((await post(active.id, 'archive')).status).toBe(409);
    await post(active.id, 'cancel');
    await stack.rest(active.id);

    play(EDIT, FINISH);
    const created = await stack.create('Say second');
    const done = await stack.rest(created.id);
    const archived = await post(created.id, 'archive');
    expect(archived.status).toBe(200);
    expect(archived.body).toMatchObject({
      status: 'completed',
      prLink: done.prLink,
      archivedAt: expect.any(String),
    });
    expect(
      (
        await stack.call('POST', `/v2/agent/${stack.project.id}/job/${created.id}/message`, {
          prompt: 'More',
        })
      ).status,
    ).toBe(409);
    expect((await post(created.id, 'archive')).status).toBe(200);
  });

  it('fails and archives a job whose workflow an operator cancels', async () => {
    play(THINKING);
    const created = await stack.create('Wait');
    await until('the model thinks', () => played === 1);
    await stack.temporal.workflow.getHandle(created.id).cancel();
    await until(
      'the job is archived',
      async () => (await stack.job(created.id)).archivedAt !== null,
    );
    expect(await stack.job(created.id)).toMatchObject({
      status: 'failed',
      archivedAt: expect.any(String),
    });
  });
});
