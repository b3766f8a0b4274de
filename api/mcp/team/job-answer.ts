import { type Static, Type } from '@sinclair/typebox';
import type { Job } from '../../../db/jobs/job.ts';
import { readOutcomes } from '../../../db/jobs/job-overviews.ts';
import { resultOf } from '../../../db/jobs/outcome.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { readWaiting } from '../../../jobs/waiting/read-waiting.ts';
import { FailureCodeSchema, ResultSchema } from '../../../shared/jobs/conversation.ts';
import { type Waiting, WaitingSchema } from '../../../shared/jobs/waiting-schemas.ts';
import { jobBody } from '../../agent/job-body.ts';
import { JobSchema } from '../../agent/schemas.ts';
import type { ToolAnswer } from '../tool.ts';

/** A job, what came of it, and what it waits for. */
export const JobAnswer = Type.Object({
  ...JobSchema.properties,
  outcome: Type.Union([ResultSchema, Type.Null()], {
    description: 'What came of the newest turn; null while the job is active.',
  }),
  failureCode: Type.Union([FailureCodeSchema, Type.Null()], {
    description: 'Why it failed; null if it did not.',
  }),
  message: Type.Union([Type.String(), Type.Null()], {
    description: 'What the agent says at the end of the turn.',
  }),
  waiting: Type.Union([WaitingSchema, Type.Null()], {
    description: 'What the job waits for from a person.',
  }),
});
export type JobAnswer = Static<typeof JobAnswer>;

export async function describeJob(
  { config, pool }: Pick<JobsDeps, 'config' | 'pool'>,
  job: Job,
): Promise<JobAnswer> {
  const body = jobBody(config, job);
  const isActive = body.status === 'active';
  const end = isActive ? undefined : (await readOutcomes(pool, [job.id])).get(job.id);
  return {
    ...body,
    outcome: resultOf(end?.outcome ?? 'active'),
    failureCode: end?.code ?? null,
    message: isActive ? null : job.messageToUser,
    waiting: await readWaiting(pool, job),
  };
}

export function toolAnswer(job: JobAnswer): ToolAnswer {
  return { text: sentences(job).join('\n'), structured: job };
}

function sentences({ id, status, outcome, prLink, message, waiting }: JobAnswer): string[] {
  return [
    `Job ${id} is ${status}${outcome === null ? '' : ` (${outcome})`}.`,
    ...(prLink === null ? [] : [`Pull request: ${prLink}`]),
    ...(message ? [message] : []),
    ...(waiting ? [waitingText(waiting)] : []),
    ...(status === 'active' ? ['Call get_job with waitSeconds to wait for its end.'] : []),
  ];
}

/** What a person has to know in order to answer. */
export function waitingText(waiting: Waiting): string {
  if (waiting.for === 'budget')
    return `The job has reached its budget of ${waiting.budgetUsd} US dollars.`;
  if (waiting.for === 'answer') {
    const options = waiting.options?.length ? ` (${waiting.options.join(' / ')})` : '';
    return `The agent asks: ${waiting.question ?? ''}${options}`;
  }
  const { plan, constructs = [] } = waiting;
  if (!plan)
    return `The job waits until a person allows: ${constructs.map(({ form }) => form).join(', ')}`;
  return [
    `The job waits until a person approves its plan: ${plan.summary}`,
    ...plan.changes.map(({ path, change }) => `- ${path}: ${change}`),
    ...plan.questions.map(question => `Open: ${question}`),
  ].join('\n');
}
