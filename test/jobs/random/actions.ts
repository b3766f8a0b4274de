import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Conversation } from '../../../shared/jobs/conversation.ts';
import type { JobBody, JobStack } from '../../support/job-stack.ts';
import { testTemporal } from '../../support/services.ts';
import type { Repository } from './git.ts';
import { pagePath, prompt } from './model.ts';
import type { Done, Instruction, Played, Stage } from './played.ts';

/** What can be done to a job, and how often. */
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

/** Does one thing to the job. */
export async function act(
  stage: Stage,
  played: Played,
  what: keyof typeof ACTIONS,
  at: number,
): Promise<Done> {
  const { dice, repository, workers, name } = stage;
  const instruction: Instruction = {
    kind: dice.below(5) === 0 ? 'ask' : 'write',
    page: `${name}k${at}`,
    at,
  };
  switch (what) {
    case 'message':
      return message(stage, played, instruction);
    case 'signal':
      return signal(stage, played, instruction);
    case 'cancel':
      return cancel(stage, played, at);
    case 'rewind':
      return rewind(stage, played, at);
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

const routeOf = ({ stack }: Stage, { jobId }: Played, verb: string): string =>
  `/v2/agent/${stack.project.id}/job/${jobId}/${verb}`;

async function message(stage: Stage, played: Played, instruction: Instruction): Promise<Done> {
  const { status } = await stage.stack.call('POST', routeOf(stage, played, 'message'), {
    prompt: prompt(instruction.kind, instruction.page),
  });
  return told(played, instruction, status);
}

/** A message that does not come through the API. */
async function signal({ stack }: Stage, played: Played, instruction: Instruction): Promise<Done> {
  const text = prompt(instruction.kind, instruction.page);
  const input = JSON.stringify({ prompt: text });
  await script(played.jobId, 'signal', '--name', 'message', '--input', input);
  const read = async () =>
    (
      await stack.pool.query(
        "select 1 from instructions where job_id = $1 and prompt = $2 and state <> 'waiting'",
        [played.jobId, text],
      )
    ).rowCount === 1;
  return { ...told(played, instruction, 200), landed: read };
}

async function cancel(stage: Stage, played: Played, at: number): Promise<Done> {
  const { status, body } = await stage.stack.call('POST', routeOf(stage, played, 'cancel'));
  const pending = (body as JobBody).status === 'active';
  played.undoings.push({ what: 'cancel', at, pending });
  return answered(status);
}

async function rewind(stage: Stage, played: Played, at: number): Promise<Done> {
  const { stack, dice } = stage;
  const { messages } = await stack.get<Conversation>(played.jobId, '/messages');
  const step = {
    turn: 1 + dice.below(Math.max(1, ...messages.map(({ turn }) => turn ?? 1))),
    step: 1 + dice.below(3),
  };
  const { status } = await stack.call('POST', routeOf(stage, played, 'rewind'), step);
  if (status === 200) played.undoings.push({ what: 'rewind', at });
  return answered(status, `${step.turn}.${step.step}: `);
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
  const id = repository.addLine(branch, path, line);
  if (id) played.commits.push({ branch, commit: id, path, line });
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
