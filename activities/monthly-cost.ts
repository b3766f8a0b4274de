import { ApplicationFailure } from '@temporalio/common';
import type { JobProject } from '../db/jobs/job-project.ts';
import { monthlyCost } from '../db/models/model-calls.ts';
import type { ActivityDeps } from '../agent/deps.ts';

/** Ends the turn if the organization, or the key that made the job, may spend no more this month. */
export async function refuseOverMonthlyCost(
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
