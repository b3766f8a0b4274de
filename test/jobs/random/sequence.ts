import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Conversation } from '../../../shared/jobs/conversation.ts';
import { JOB_QUERY, type JobView } from '../../../shared/jobs/job.ts';
import type { JobBody, JobStack } from '../../support/job-stack.ts';
import { testTemporal } from '../../support/services.ts';
import { until } from '../../support/until.ts';
import type { Dice } from './dice.ts';
import type { Repository } from './git.ts';
import { pagePath, prompt } from './model.ts';
import { type Effect, watch, type Watched, type Watching } from './watch.ts';
import type { Workers } from './workers.ts';

export const ACTIONS = {
  message: 6,
  signal: 2,
  rewind: 3,
  reset: 1,
  cancel: 2,
  person: 2,
  edit: 1,
  base: 1,
  merge: 1.5,
  close: 1.5,
  kill: 1,
};
const MIN_ACTIONS = 4;
const MAX_PAUSE_MS = 700;

export interface Instruction {
  kind: 'write' | 'ask';
  page: string;
  at: number;
}
/**
 * `pending`: the caller was answered before it had taken effect, so that it meets what comes next
 * as well.
 */
export interface Undoing {
  what: 'cancel' | 'rewind' | 'reset';
  at: number;
  pending?: boolean;
}
/** `made`: there was no such page before. */
export interface Commit {
  branch: string;
  commit: string;
  path: string;
  line: string;
  made: boolean;
}

/** What was done to one job, in order, and what it showed meanwhile. */
export interface Played {
  jobId: string;
  /** One line for each action, for whoever reads a failure. */
  log: string[];
  /** Kinds of actions that had an effect at least once. */
  accepted: Set<string>;
  /** Those that the product accepted. `at` counts actions. */
  instructions: Instruction[];
  undoings: Undoing[];
  commits: Commit[];
  archived: boolean;
  /** What a message and a rewind were answered after that. */
  afterArchive: number[];
  watched: Watched[];
}

interface Done extends Effect {
  accepted: boolean;
  how: string;
}
interface Stage {
  stack: JobStack;
  repository: Repository;
  workers: Workers;
  dice: Dice;
  name: string;
}

/** Plays a random sequence against a job of its own and leaves it at rest. */
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

async function act(
  stage: Stage,
  played: Played,
  what: keyof typeof ACTIONS,
  at: number,
): Promise<Done> {
  const { stack, dice, repository, workers, name } = stage;
  const path = (verb: string) => `/v2/agent/${stack.project.id}/job/${played.jobId}/${verb}`;
  const instruction: Instruction = {
    kind: dice.below(5) === 0 ? 'ask' : 'write',
    page: `${name}k${at}`,
    at,
  };
  switch (what) {
    case 'message':
      return told(
        played,
        instruction,
        (
          await stack.call('POST', path('message'), {
            prompt: prompt(instruction.kind, instruction.page),
          })
        ).status,
      );
    case 'signal': {
      await script(
        played.jobId,
        'signal',
        '--name',
        'message',
        '--input',
        JSON.stringify({ prompt: prompt(instruction.kind, instruction.page) }),
      );
      const read = async () =>
        (
          await stack.pool.query(
            "select 1 from instructions where job_id = $1 and prompt = $2 and state <> 'waiting'",
            [played.jobId, prompt(instruction.kind, instruction.page)],
          )
        ).rowCount === 1;
      return { ...told(played, instruction, 200), landed: read };
    }
    case 'cancel': {
      const { status, body } = await stack.call('POST', path('cancel'));
      played.undoings.push({ what, at, pending: (body as JobBody).status === 'active' });
      return answered(status);
    }
    case 'rewind': {
      const { messages } = await stack.get<Conversation>(played.jobId, '/messages');
      const step = {
        turn: 1 + dice.below(Math.max(1, ...messages.map(({ turn }) => turn ?? 1))),
        step: 1 + dice.below(3),
      };
      const { status } = await stack.call('POST', path('rewind'), step);
      if (status === 200) played.undoings.push({ what, at });
      return answered(status, `${step.turn}.${step.step}: `);
    }
    case 'reset':
      return reset(stage, played, at);
    case 'person':
      return commit(
        played,
        repository,
        await workingBranch(stage, played),
        `docs/${name}p${at}.md`,
      );
    case 'edit':
      return commit(
        played,
        repository,
        await workingBranch(stage, played),
        pagePath(dice.below(2) === 0 ? `${name}k0` : `${name}k${dice.below(at)}`),
      );
    case 'base':
      return commit(played, repository, 'main', `docs/${name}b${at}.md`);
    case 'merge':
    case 'close':
      return endPullRequest(stage, played, what);
    case 'kill':
      return { accepted: workers.kill(), how: '' };
  }
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
      const view = await handle.query<JobView>(JOB_QUERY).catch(() => undefined); // its worker was killed a moment ago
      const {
        rows: [row],
      } = await stack.pool.query<{ settled: boolean; taken: number }>(
        `select j.run_id = any($2) and j.state in ('completed', 'failed') as settled, (select count(*) from instructions i where i.job_id = j.id and i.state in ('taken', 'dropped')) as taken
         from jobs j where j.id = $1`,
        [jobId, [runId, view?.continuedFrom]],
      ); // a history that only goes on from another has nothing to tell yet
      return row !== undefined && row.settled && row.taken >= instructions.length;
    },
    120_000,
  );
}

function told(played: Played, instruction: Instruction, status: number): Done {
  if (status === 200) played.instructions.push(instruction);
  return answered(status, `${instruction.kind} ${instruction.page}: `);
}

const answered = (status: number, what = ''): Done => ({
  accepted: status === 200,
  how: `${what}${status}`,
});

/** A bare reset, as the Web UI makes it: what came later is signalled again. */
async function reset({ stack, dice }: Stage, played: Played, at: number): Promise<Done> {
  const handle = stack.temporal.workflow.getHandle(played.jobId);
  const { runId } = await handle.describe();
  const { events } = await stack.temporal.workflow.getHandle(played.jobId, runId).fetchHistory();
  const steps =
    events?.filter(
      event => event.activityTaskScheduledEventAttributes?.activityType?.name === 'callModel',
    ) ?? [];
  const point =
    steps[dice.below(Math.max(1, steps.length))]?.activityTaskScheduledEventAttributes
      ?.workflowTaskCompletedEventId;
  if (!point) return { accepted: false, how: 'no step yet' };
  try {
    await script(played.jobId, 'reset', '--reason', 'test', '--event-id', String(point));
  } catch (error) {
    if ((await handle.describe()).runId === runId) throw error;
    return { accepted: false, how: 'continued as new meanwhile' };
  }
  played.undoings.push({ what: 'reset', at });
  return {
    accepted: true,
    how: `to event ${String(point)}`,
    landed: await beginning(stack, played.jobId),
  };
}

/** Whether the run that is the newest now has done anything, or is so no more. */
async function beginning(
  { temporal, pool }: JobStack,
  jobId: string,
): Promise<() => Promise<boolean>> {
  const newest = async () => (await temporal.workflow.getHandle(jobId).describe()).runId;
  const run = await newest();
  return async () =>
    (await pool.query('select 1 from activity_results where run_id = $1 limit 1', [run]))
      .rowCount === 1 || (await newest()) !== run;
}

/** `temporal workflow …`. Throws where it says no. */
async function script(jobId: string, ...args: string[]): Promise<void> {
  const { cliPath, address } = testTemporal();
  const [verb = '', ...rest] = args;
  await promisify(execFile)(cliPath, [
    'workflow',
    verb,
    '--address',
    address,
    '--workflow-id',
    jobId,
    ...rest,
  ]);
}

async function workingBranch({ stack, repository }: Stage, { jobId }: Played): Promise<string> {
  const {
    source: { ref },
  } = await stack.get<JobBody>(jobId);
  return ref && repository.head(ref) ? ref : 'main';
}

function commit(played: Played, repository: Repository, branch: string, path: string): Done {
  const line = `A person’s line ${played.commits.length}.`;
  const made = repository.read(branch, path) === '';
  const id = repository.addLine(branch, path, line);
  if (id) played.commits.push({ branch, commit: id, path, line, made });
  return { accepted: id !== null, how: `${path} on ${branch}: ${id?.slice(0, 7) ?? 'moved'}` };
}

async function endPullRequest(
  { stack }: Stage,
  played: Played,
  verb: 'merge' | 'close',
): Promise<Done> {
  const find = async () =>
    (
      await stack.pool.query<{ number: number }>(
        "select number from local_pull_requests where job_id = $1 and state = 'open'",
        [played.jobId],
      )
    ).rows[0];
  let open = await find();
  if (!open) {
    await stack.rest(played.jobId, 120_000); // who comes to merge waits for something to
    open = await find();
  }
  if (!open) return { accepted: false, how: 'none open' };
  const response = await fetch(`${stack.baseUrl}/git/docs/pulls/${open.number}/${verb}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.config.LOCAL_HOST_TOKEN}` },
  });
  return answered(response.status, `#${open.number}: `);
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
    `archive: ${status} ${archivedAt}; then a message and a rewind: ${played.afterArchive.join(', ')}`,
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
    "select run_id, state, epoch, n, (select count(*) from instructions i where i.job_id = j.id and i.state = 'waiting') as waiting from jobs j where id = $1",
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
