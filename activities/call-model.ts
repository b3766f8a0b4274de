import { Context } from '@temporalio/activity';
import type { ActivityDeps } from '../agent/deps.ts';
import { addConvention } from '../agent/conventions/add-convention.ts';
import { isPlanning } from '../agent/planning/phase.ts';
import { withoutSecrets } from '../agent/model/without-secrets.ts';
import { readTranscript } from '../db/jobs/transcript.ts';
import type { ModelReply, Position } from '../shared/jobs/activity-types.ts';
import { openActivity } from './open-activity.ts';
import { paidCall } from './paid-call.ts';
import { recordReply } from './record-reply.ts';
import { storedAgain } from './stored-again.ts';
import { ApplicationFailure } from '@temporalio/common';
import type { JobProject } from '../db/jobs/job-project.ts';
import { lostAttempts, monthlyCost } from '../db/models/model-calls.ts';

/** Attempts of one call that are paid for without an answer. */
const MOST_LOST = 5;

/**
 * One model call: the transcript goes out, the answer comes back as a new entry. A finished call is
 * never made again: a retry finds its entry.
 */
export function createCallModel(deps: ActivityDeps) {
  return async function callModel(input: Position): Promise<ModelReply> {
    const signal = Context.current().cancellationSignal;
    const [opened, transcript] = await Promise.all([
      openActivity<ModelReply>(deps, input),
      readTranscript(deps.pool, input.transcriptHead),
    ]);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    // What a person approved word by word needs no model.
    if (project.convention !== null && input.turn === 1 && input.step === 1)
      return recordReply(deps, input, await addConvention(deps, project, input, signal));
    await refuseOverMonthlyCost(deps, project);
    refuseOverBudget(project);
    await refuseAfterCrashes(deps, input.jobId);
    const reply = await paidCall(deps, input, { project, transcript });
    return storedAgain(async () => {
      const content = await withoutSecrets(deps, project, input, reply.content, signal);
      return recordReply(deps, input, { ...reply, content, planning: isPlanning(transcript) });
    });
  };
}

/** Each attempt is paid for, also one whose worker did not live to say so. */
async function refuseAfterCrashes({ pool }: ActivityDeps, jobId: string): Promise<void> {
  const { workflowExecution, activityId } = Context.current().info;
  const lost = await lostAttempts(pool, {
    jobId,
    runId: workflowExecution?.runId ?? '',
    activityId,
  });
  if (lost >= MOST_LOST)
    throw ApplicationFailure.nonRetryable(
      `The worker did not survive this model call ${lost} times.`,
      'internal',
    );
}

/** Ends the turn if the job has cost what it may: it waits until a person raises the budget. */
function refuseOverBudget({ budgetMicroUsd, costMicroUsd }: JobProject): void {
  if (budgetMicroUsd === null || costMicroUsd < budgetMicroUsd) return;
  throw ApplicationFailure.nonRetryable(
    `The budget of ${usd(budgetMicroUsd)} is reached: the job has cost ${usd(costMicroUsd)}. Its ` +
      'edits are kept, and it continues once the budget is raised.',
    'budget_reached',
  );
}

function usd(microUsd: number): string {
  return `$${(microUsd / 1e6).toFixed(2)}`;
}

/** Ends the turn if the organization, or the key that made the job, may spend no more this month. */
async function refuseOverMonthlyCost(
  { pool, config }: ActivityDeps,
  project: JobProject,
): Promise<void> {
  const { JOB_MONTHLY_COST_LIMIT_USD: ofAll, JOB_KEY_MONTHLY_COST_LIMIT_USD: ofKey } = config;
  if (
    ofAll !== undefined &&
    (await monthlyCost(pool, project.organizationId)).microUsd >= ofAll * 1e6
  ) {
    throw ApplicationFailure.nonRetryable(
      `The organization’s model cost limit of $${ofAll} per month is reached ` +
        '(JOB_MONTHLY_COST_LIMIT_USD).',
      'limit_reached',
    );
  }
  if (
    ofKey !== undefined &&
    project.apiKeyId !== null &&
    (await monthlyCost(pool, project.organizationId, project.apiKeyId)).microUsd >= ofKey * 1e6
  ) {
    throw ApplicationFailure.nonRetryable(
      `The model cost limit of $${ofKey} per month of the key that created this job is reached ` +
        '(JOB_KEY_MONTHLY_COST_LIMIT_USD).',
      'limit_reached',
    );
  }
}
