import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { createKey } from '../../db/projects/keys.ts';
import { deleteProject } from '../../db/projects/projects.ts';
import { createLogger } from '../../shared/logger.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, THINKING } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { slowly } from '../support/slow.ts';

const TABLES = [
  'jobs',
  'instructions',
  'transcript_entries',
  'workspace_revisions',
  'activity_results',
  'job_events',
  'publications',
  'branch_holds',
  'blobs',
];

describe('removal', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  let played = 0;
  let removed: JobBody;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script[played++] ?? THINKING,
    });
  });
  afterAll(() => stack.close());
  const play = (...replies: ScriptedReply[]) => {
    script = replies;
    played = 0;
  };
  const sweep = (more: object = {}, temporal = stack.temporal) =>
    sweepJobs({
      config: { ...stack.config, ...more },
      pool: stack.pool,
      temporal,
      log: createLogger('silent'),
    });
  const rowsOf = async (job: JobBody) =>
    (
      await Promise.all(
        TABLES.map(
          async table =>
            (
              await stack.pool.query(
                `select 1 from ${table} where ${table === 'jobs' ? 'id' : 'job_id'} = $1`,
                [job.id],
              )
            ).rowCount,
        ),
      )
    ).reduce<number>((sum, n) => sum + (n ?? 0), 0);
  const exists = (job: JobBody) =>
    stack.temporal.workflow
      .getHandle(job.id)
      .describe()
      .then(
        () => true,
        () => false,
      );
  const runs = (job: JobBody) =>
    stack.temporal.workflow
      .getHandle(job.id)
      .describe()
      .then(
        ({ status }) => status.name === 'RUNNING',
        () => false,
      );

  it('an archived job goes when its time is up, and no other', async () => {
    play(EDIT, FINISH);
    const kept = await stack.rest((await stack.create('Say second')).id);
    play(EDIT, FINISH);
    const gone = await stack.rest((await stack.create('Say second')).id);
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${gone.id}/archive`);
    await sweep();
    await sweep({ JOB_RETENTION_DAYS: 1 });
    expect((await stack.job(gone.id)).archivedAt).not.toBeNull();
    await stack.pool.query(
      "update jobs set archived_at = now() - interval '2 days' where id = $1",
      [gone.id],
    );
    await sweep({ JOB_RETENTION_DAYS: 1 });
    expect((await stack.call('GET', `/v2/agent/${stack.project.id}/job/${gone.id}`)).status).toBe(
      404,
    );
    expect(await rowsOf(gone)).toBe(0);
    removed = gone;
    expect([await exists(kept), (await stack.job(kept.id)).status]).toEqual([true, 'completed']);
    expect(
      (await stack.pool.query('select 1 from model_calls where job_id = $1', [gone.id])).rowCount,
    ).toBe(2);
  }, 120_000);

  it('more than a batch goes in one sweep, also behind a batch that cannot go', async () => {
    play({ text: 'Nothing to do.' });
    const { id } = await stack.rest((await stack.create('Say nothing')).id);
    await stack.pool.query(
      `insert into jobs
       select (jsonb_populate_record(j, jsonb_build_object(
                'id', case when i <= 100 then 'job_stuck' else 'job_old' end || i,
                'created_at', now() - interval '9 days' + make_interval(secs => i),
                'archived_at', now() - interval '2 days'))).*
         from jobs j, generate_series(1, 230) as made (i) where j.id = $1`,
      [id],
    );
    const workflow = Object.assign(Object.create(stack.temporal.workflow), {
      getHandle: (jobId: string) =>
        jobId.startsWith('job_stuck')
          ? { describe: () => Promise.reject(new Error('the history cannot be read')) }
          : stack.temporal.workflow.getHandle(jobId),
    }) as typeof stack.temporal.workflow;
    const temporal = Object.create(stack.temporal, {
      workflow: { value: workflow },
    }) as typeof stack.temporal;
    await sweep({ JOB_RETENTION_DAYS: 1 }, temporal);
    const { rows } = await stack.pool.query(
      `select left(id, 7) as kind, count(*)::int as n from jobs
        where id like 'job_stuck%' or id like 'job_old%' group by 1`,
    );
    expect(rows).toEqual([{ kind: 'job_stu', n: 100 }]);
    await stack.pool.query("delete from jobs where id like 'job_stuck%'");
  }, 60_000);

  it('a deleted project takes its jobs, also those at work, their executions, rows and keys', async () => {
    await createKey(stack.pool, {
      organizationId: stack.project.organizationId,
      projectId: stack.project.id,
      kind: 'assistant',
      name: 'site',
    });
    play(EDIT, FINISH);
    const resting = await stack.rest((await stack.create('Say second')).id);
    play(THINKING);
    const working = await stack.create('Wait');
    await until('the model thinks', () => played === 1);
    await deleteProject(stack.pool, stack.project.organizationId, stack.project.id);
    await sweep();
    for (const job of [resting, working]) {
      // Ended at once; that its history goes too is seen below, and takes Temporal a while.
      expect([await runs(job), await rowsOf(job)]).toEqual([false, 0]);
    }
    expect((await stack.pool.query('select 1 from projects')).rowCount).toBe(0);
    expect(
      (await stack.pool.query("select 1 from api_keys where kind = 'assistant'")).rowCount,
    ).toBe(0);
    // The model call that was under way ends, and its cost is known.
    await until(
      'every model call is settled',
      async () =>
        (await stack.pool.query('select 1 from model_calls where settled_at is null')).rowCount ===
        0,
    );
    expect(stack.git('branch', '--list', resting.source.ref ?? '')).toContain(
      resting.source.ref ?? '?',
    );
  }, 120_000);

  slowly(
    'and its execution, when Temporal comes to it',
    async () => {
      await until('Temporal forgets', async () => !(await exists(removed)), 100_000);
      expect(await exists(removed)).toBe(false);
    },
    120_000,
  );
});
