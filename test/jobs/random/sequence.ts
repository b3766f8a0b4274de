import { JOB_QUERY, type JobView } from '../../../shared/jobs/job.ts';
import type { JobBody, JobStack } from '../../support/job-stack.ts';
import { until } from '../../support/until.ts';
import { act, ACTIONS } from './actions.ts';
import { prompt } from './model.ts';
import type { Instruction, Played, Stage } from './played.ts';
import { watch, type Watching } from './watch.ts';

const MIN_ACTIONS = 4;
const MAX_PAUSE_MS = 700;

/** Plays a random sequence against a job of its own and leaves it idle. */
export async function playSequence(stage: Stage): Promise<Played> {
  const { stack, name } = stage;
  const first: Instruction = { kind: 'write', page: `${name}k0`, at: 0 };
  const job = await stack.create(prompt(first.kind, first.page));
  const played: Played = {
    jobId: job.id,
    log: [`create ${first.page}`],
    accepted: new Set(),
    instructions: [first],
    undoings: [],
    commits: [],
    archived: false,
    afterArchive: [],
    watched: [],
  };
  const watching = watch(stack, job.id, played.watched);
  try {
    await play(stage, played, watching.mayWake);
  } finally {
    await watching.stop();
  }
  return played;
}

async function play(stage: Stage, played: Played, mayWake: Watching['mayWake']): Promise<void> {
  const { stack, dice } = stage;
  const count = MIN_ACTIONS + dice.below(6);
  for (let at = 1; at <= count; at++) {
    if (dice.below(5) < 2) await stack.rest(played.jobId, 120_000);
    else await new Promise(resolve => setTimeout(resolve, dice.below(MAX_PAUSE_MS)));
    const what = dice.pick(ACTIONS);
    const { accepted, how } = await mayWake(() => act(stage, played, what, at));
    played.log.push(`${what} ${how}`);
    if (accepted) played.accepted.add(what);
  }
  await quiet(stack, played);
  if (dice.below(4) === 0) await archive(stage, played);
}

/**
 * Waits until the job rests and has taken in all that it was told: of a script's signal or reset,
 * the API hears only from the job.
 */
async function quiet(stack: JobStack, { jobId, instructions }: Played): Promise<void> {
  await until(
    `${jobId} has taken in what it was told`,
    async () => {
      await stack.rest(jobId, 120_000);
      const handle = stack.temporal.workflow.getHandle(jobId);
      const { runId } = await handle.describe();
      // Its worker may have been killed a moment ago.
      const view = await handle.query<JobView>(JOB_QUERY).catch(() => undefined);
      const {
        rows: [row],
      } = await stack.pool.query<{ settled: boolean; taken: number }>(
        `select j.run_id = any($2) and j.state in ('completed', 'failed') as settled,
                (select count(*) from instructions i
                 where i.job_id = j.id and i.state in ('taken', 'dropped')) as taken
         from jobs j where j.id = $1`,
        [jobId, [runId, view?.continuedFrom]],
      ); // a history that only goes on from another has nothing to tell yet
      return row !== undefined && row.settled && row.taken >= instructions.length;
    },
    120_000,
  );
}

async function archive({ stack }: Stage, played: Played): Promise<void> {
  const job = `/v2/agent/${stack.project.id}/job/${played.jobId}`;
  const { status, body } = await stack.call('POST', `${job}/archive`);
  // A worker that was killed a moment ago takes longer than the call waits.
  let { archivedAt } = body as JobBody;
  for (let i = 0; i < 600 && archivedAt === null; i++) {
    await new Promise(resolve => setTimeout(resolve, 100));
    ({ archivedAt } = await stack.get<JobBody>(played.jobId));
  }
  if (archivedAt === null) played.log.push(`not archived: ${await inside(stack, played.jobId)}`);
  played.archived = status === 200;
  const after = await Promise.all([
    stack.call('POST', `${job}/message`, { prompt: 'Write nothing' }),
    stack.call('POST', `${job}/rewind`, { step: 1 }),
  ]);
  played.afterArchive = after.map(answer => answer.status);
  played.log.push(
    `archive: ${status} ${archivedAt}; ` +
      `then a message and a rewind: ${played.afterArchive.join(', ')}`,
  );
}

/** What a caller does not see, for whoever reads a failure. */
async function inside({ temporal, pool }: JobStack, jobId: string): Promise<string> {
  const handle = temporal.workflow.getHandle(jobId);
  const {
    runId,
    memo,
    raw: { pendingActivities, pendingWorkflowTask },
  } = await handle.describe();
  const view: unknown = await handle.query(JOB_QUERY).catch(String);
  const {
    rows: [row],
  } = await pool.query(
    `select run_id, state, epoch, n,
            (select count(*) from instructions i
             where i.job_id = j.id and i.state = 'waiting') as waiting
     from jobs j where id = $1`,
    [jobId],
  );
  return JSON.stringify({
    runId,
    ignored: memo?.ignoredSignals,
    view,
    row,
    pendingActivities,
    pendingWorkflowTask,
  });
}
