import { createProject } from '../../db/projects/projects.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { SLOW } from '../support/slow.ts';

/** The slow lane queues 120 jobs of one project before 5 of another. */
const [JOBS_OF_A, JOBS_OF_B] = SLOW ? [120, 5] : [48, 3];

describe('fairness', () => {
  let stack: JobStack;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '# Guide\n\nThe first line.\n' },
      // The queue is that for the worker's two activities: a model that answers at once makes it
      // one for the CPU.
      script: () => ({ text: 'Which page?', delayMs: 200 }),
      env: {
        WORKER_MAX_ACTIVITIES: '2',
        WORKER_MAX_MODEL_CALLS: '2',
        JOB_MAX_ACTIVE_PER_PROJECT: '200',
      },
      noWorker: true,
    });
  });
  afterAll(() => stack.close());

  it('serves a project with few jobs before the long queue of another', async () => {
    const { organizationId, host, repository, repositoryUrl, baseRef, docsFolder } = stack.project;
    const other = await createProject(stack.pool, {
      organizationId,
      host,
      repository,
      repositoryUrl,
      baseRef,
      docsFolder,
      name: 'Other',
      domain: 'other',
    });
    const queue = async (count: number, projectId: string) => {
      const ids: string[] = [];
      for (let i = 0; i < count; i++)
        ids.push((await stack.create('Say second', {}, projectId)).id);
      return ids;
    };
    const ofA = await queue(JOBS_OF_A, stack.project.id);
    const ofB = await queue(JOBS_OF_B, other.id);
    await stack.startWorker();
    for (const id of ofB) await stack.rest(id, 300_000, other.id);
    const { rows } = await stack.pool.query<{ before: number }>(
      `select count(*)::int as before from jobs
        where project_id = $1 and finished_at < (select max(finished_at) from jobs where project_id = $2)`,
      [stack.project.id, other.id],
    );
    // Without fairness it is all of them; what a busy machine delays is B's next activity.
    expect(rows[0]!.before).toBeLessThan(SLOW ? 20 : JOBS_OF_A * 0.9);
    for (const id of ofA) await stack.rest(id, 300_000);
  }, 600_000);

  it('names the project as the fairness key of its jobs, and people before programs', async () => {
    const { id } = await stack.create('Say second');
    await stack.rest(id);
    const { raw } = await stack.temporal.workflow.getHandle(id).describe();
    expect(raw.workflowExecutionInfo?.priority).toMatchObject({
      priorityKey: 3,
      fairnessKey: stack.project.id,
    });
  });
});
