import { asyncLocalStorage, Context, type Info } from '@temporalio/activity';
import { noopMetricMeter } from '@temporalio/common';
import { DefaultLogger } from '@temporalio/worker';
import { createJobActivities } from '../../activities/index.ts';
import type { JobActivities, JobTools, Position } from '../../shared/jobs/activity-types.ts';
import { createLogger } from '../../shared/logger.ts';
import { type OpenedDeps, openDeps } from '../../worker/deps.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, held, THINKING } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

describe('what is left of a worker that was believed dead', () => {
  let stack: JobStack;
  let opened: OpenedDeps;
  let activities: JobActivities & JobTools;
  let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script[played++] ?? THINKING,
    });
    opened = await openDeps({
      config: stack.config as typeof stack.config & { DATABASE_URL: string },
      temporal: { address: stack.config.TEMPORAL_ADDRESS ?? '' },
      logger: createLogger('silent'),
    });
    activities = createJobActivities(opened.deps);
  });
  afterAll(async () => {
    await opened.close();
    await stack.close();
  });
  const play = (...replies: typeof script) => {
    script = replies;
    played = 0;
  };
  const count = async (table: string, job: JobBody) =>
    (
      await stack.pool.query<{ count: number }>(`select count(*) from ${table} where job_id = $1`, [
        job.id,
      ])
    ).rows[0]?.count;
  const rewind = (job: JobBody, body: object) =>
    stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/rewind`, body);

  /** Runs an activity as a worker would that hears no cancellation any more. */
  function asZombie<T>(
    jobId: string,
    runId: string,
    activityId: string,
    act: () => Promise<T>,
  ): Promise<T> {
    const info = {
      workflowExecution: { workflowId: jobId, runId },
      activityId,
      activityType: 'zombie',
      attempt: 1,
    } as unknown as Info;
    const context = new Context(
      info,
      new Promise<never>(() => undefined),
      new AbortController().signal,
      () => undefined,
      undefined,
      new DefaultLogger('ERROR'),
      noopMetricMeter,
      {},
    );
    return asyncLocalStorage.run(context, act);
  }

  async function position(job: JobBody): Promise<Position & { runId: string }> {
    const {
      rows: [row],
    } = await stack.pool.query<{ transcript_head: string; workspace_head: string; run_id: string }>(
      'select transcript_head, workspace_head, run_id from jobs where id = $1',
      [job.id],
    );
    return {
      jobId: job.id,
      turn: 1,
      step: 2,
      transcriptHead: row?.transcript_head ?? '',
      workspaceHead: row?.workspace_head ?? '',
      continuedFrom: null,
      runId: row?.run_id ?? '',
    };
  }

  it('after a rewind: no activity of the old run changes anything, calls the model or pushes', async () => {
    play(EDIT, FINISH);
    const job = await stack.rest((await stack.create('Say second')).id);
    const { runId, ...old } = await position(job);
    const {
      rows: [publication],
    } = await stack.pool.query<{ id: string; commit: string }>(
      'select id, commit from publications where job_id = $1',
      [job.id],
    );
    const {
      rows: [asked],
    } = await stack.pool.query<{ id: string; tool: string }>(
      `select id, content -> -1 ->> 'id' as tool from transcript_entries where job_id = $1 and kind = 'assistant' order by depth limit 1`,
      [job.id],
    );
    play(THINKING);
    expect((await rewind(job, { step: 1 })).status).toBe(200);
    await until('the model thinks', () => played === 1);
    const state = async () => [
      await position(job),
      await count('transcript_entries', job),
      await count('workspace_revisions', job),
      await count('publications', job),
      await count('job_events', job),
      await count('model_calls', job),
      await count('instructions', job),
      stack.git('for-each-ref'),
      stack.model.requests.length,
    ];
    const before = await state();
    const toolUse = { id: asked?.tool ?? '', type: 'str_replace', summary: '', key: '' };
    const publishing = { ...old, publicationId: publication?.id ?? '' };
    const zombies: Record<string, () => Promise<unknown>> = {
      prepare: () => activities.prepare({ ...old, startFrom: 'workspace' }),
      readInstructions: () =>
        activities.readInstructions({
          ...old,
          instructions: [{ messageId: 'zombie', prompt: 'From the grave' }],
        }),
      storeInstructions: () =>
        activities.storeInstructions({
          ...old,
          instructions: [{ messageId: 'zombie', prompt: 'From the grave' }],
        }),
      callModel: () => activities.callModel(old),
      str_replace: () =>
        activities.str_replace!({
          ...old,
          transcriptHead: asked?.id ?? '',
          toolUse,
          repairRoundsLeft: 1,
        }),
      settleTurn: () =>
        activities.settleTurn({ ...old, stopReason: 'end_turn', repairRoundsLeft: 1 }),
      planPublish: () => activities.planPublish({ ...old, now: Date.now(), branch: null }),
      push: () => activities.push(publishing),
      openPullRequest: () => activities.openPullRequest(publishing),
      reportTurn: () =>
        activities.reportTurn({
          ...old,
          status: 'completed',
          haltReason: 'completed',
          message: 'boo',
          dropped: [],
          takenBack: false,
          cancelled: false,
        }),
      passWait: () => activities.passWait({ ...old, waitingFor: 'approval', ends: true }),
      archiveJob: () =>
        activities.archiveJob({ ...old, status: 'completed', waiting: [], dropWaiting: true }),
    };
    // One tool for all: they share their activity.
    expect(Object.keys(zombies).toSorted()).toEqual(
      [
        ...Object.keys(activities).filter(name => activities[name] !== activities.str_replace),
        'str_replace',
      ].toSorted(),
    );
    for (const [name, act] of Object.entries(zombies)) {
      expect([
        name,
        await asZombie(job.id, runId, `zombie-${name}`, act).then(
          () => 'done',
          (error: { type?: string }) => error.type,
        ),
      ]).toEqual([name, 'superseded']);
    }
    expect(await state()).toEqual(before);
    expect(await stack.job(job.id)).toMatchObject({ status: 'active' });
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/cancel`);
    await stack.rest(job.id);
  });

  it('a model call that ends after the rewind is paid for, and otherwise lost', async () => {
    play(EDIT, THINKING);
    const job = await stack.create('Say second');
    await until('the model thinks', () => played === 2);
    const { runId, ...old } = await position(job);
    const answer = held({ text: 'Too late.' });
    play(answer.reply, THINKING);
    const late = asZombie(job.id, runId, 'late', () => activities.callModel(old)).catch(
      (error: { type?: string }) => error.type,
    );
    await until('the model is asked', () => played === 1);
    expect((await rewind(job, { step: 2 })).status).toBe(200);
    answer.release();
    expect(await late).toBe('superseded');
    await until('the model thinks', () => played === 2);
    const { rows } = await stack.pool.query<{ outcome: string; tokens: number }>(
      "select outcome, output_tokens as tokens from model_calls where job_id = $1 and activity_id = 'late'",
      [job.id],
    );
    expect(rows).toEqual([{ outcome: 'ok', tokens: expect.any(Number) }]);
    expect(rows[0]?.tokens).toBeGreaterThan(0);
    expect(JSON.stringify(stack.model.requests.at(-1)?.body.messages)).not.toContain('Too late.');
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/cancel`);
    const {
      rows: [sums],
    } = await stack.pool.query<{ ledger: number; job: number }>(
      'select sum(m.output_tokens)::bigint as ledger, min(j.output_tokens) as job from model_calls m join jobs j on j.id = m.job_id where j.id = $1',
      [job.id],
    );
    expect(sums?.job).toBe(sums?.ledger);
  });

  it('that had asked whether its run is current before somebody rewound the job: asks again', async () => {
    play(EDIT, FINISH);
    const job = await stack.rest((await stack.create('Say second')).id);
    const { runId, ...old } = await position(job);
    play(THINKING, THINKING);
    expect((await rewind(job, { step: 1 })).status).toBe(200);
    await until('the model thinks', () => played === 1); // else there is no step 1 to go back to
    const { isCurrentRun } = opened.deps;
    opened.deps.isCurrentRun = async () => {
      opened.deps.isCurrentRun = isCurrentRun;
      expect((await rewind(job, { step: 1 })).status).toBe(200);
      return true; // so it was when Temporal was asked
    };
    await expect(
      asZombie(job.id, runId, 'late', () =>
        activities.readInstructions({ ...old, instructions: [] }),
      ),
    ).rejects.toMatchObject({ type: 'superseded' });
    expect((await position(job)).runId).toBe(
      (await stack.temporal.workflow.getHandle(job.id).describe()).runId,
    );
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/cancel`);
    await stack.rest(job.id);
  });

  it('that had read a follow-up, and a restored Temporal asks the same activity for two: both are read', async () => {
    play(EDIT, FINISH);
    const job = await stack.rest((await stack.create('Say second')).id);
    const { runId, ...at } = await position(job);
    const later = { ...at, turn: 2, step: 0 };
    const instructions = ['One', 'Two'].map(prompt => ({ messageId: prompt, prompt }));
    const read = (first: number) =>
      asZombie(job.id, runId, 'again', () =>
        activities.readInstructions({ ...later, instructions: instructions.slice(0, first) }),
      );
    const [alone, both] = [await read(1), await read(2)];
    const { rows } = await stack.pool.query<{ text: string }>(
      `with recursive chain as (
         select * from transcript_entries where id = $1
         union all
         select e.* from transcript_entries e join chain c on e.id = c.parent_id
          where c.parent_id <> $2)
       select content -> 0 ->> 'text' as text from chain order by depth`,
      [both.transcriptHead, at.transcriptHead],
    );
    expect(rows.map(({ text }) => text)).toEqual(['One', 'Two']);
    expect(both.transcriptHead).not.toBe(alone.transcriptHead);
    expect(await read(2)).toEqual(both);
    const { rows: told } = await stack.pool.query<{ type: string }>(
      'select type from job_events where job_id = $1 order by seq desc limit 6',
      [job.id],
    );
    expect(told.map(({ type }) => type).toReversed()).toEqual([
      ...['status', 'instruction', 'rewound', 'status', 'instruction', 'instruction'],
    ]);
  });

  it('two workers at the same activity: one effect, one result', async () => {
    play(EDIT, THINKING);
    const job = await stack.create('Say second');
    await until('the model thinks', () => played === 2);
    const { runId, ...old } = await position(job);
    const {
      rows: [asked],
    } = await stack.pool.query<{ id: string; tool: string }>(
      `select id, content -> -1 ->> 'id' as tool from transcript_entries where job_id = $1 and kind = 'assistant'`,
      [job.id],
    );
    const {
      rows: [base],
    } = await stack.pool.query<{ id: string }>(
      'select id from workspace_revisions where job_id = $1 order by created_at limit 1',
      [job.id],
    );
    const entries = await count('transcript_entries', job);
    const input = {
      ...old,
      transcriptHead: asked?.id ?? '',
      workspaceHead: base?.id ?? '',
      toolUse: { id: asked?.tool ?? '', type: 'str_replace', summary: '', key: '' },
      repairRoundsLeft: 1,
    };
    const results = await Promise.all(
      [1, 2, 3].map(() => asZombie(job.id, runId, 'twice', () => activities.str_replace!(input))),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
    expect(await count('transcript_entries', job)).toBe((entries ?? 0) + 1);
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/cancel`);
    await stack.rest(job.id);
  });
});
