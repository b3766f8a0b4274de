import type { Config } from '../shared/config.ts';
import { countActiveJobs } from '../db/jobs/jobs.ts';
import { monthlyCost } from '../db/models/model-calls.ts';
import type { Transaction } from '../db/pool.ts';
import { limitRefusals } from '../shared/metrics/metrics.ts';
import { Problem } from '../shared/errors.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../shared/retry-after.ts';

/** Whose use a limit counts. */
export interface LimitOwner {
  projectId: string;
  organizationId: string;
  /** Null for a job that a user of the dashboard made. */
  apiKeyId: string | null;
}

/**
 * Throws 429 if a project has too many active jobs, or its organization or key has reached its
 * monthly cost.
 */
export async function refuseOverJobLimits(
  tx: Transaction,
  config: Config,
  { projectId, organizationId, apiKeyId }: LimitOwner,
): Promise<void> {
  const active = config.JOB_MAX_ACTIVE_PER_PROJECT;
  if ((await countActiveJobs(tx, projectId)) >= active) {
    throw jobLimitReached(
      'active-jobs',
      active,
      RETRY_AFTER_SECONDS.activeJobs,
      `Limit exceeded: this project has ${active} active jobs. It resets as jobs finish.`,
    );
  }
  const { JOB_MONTHLY_COST_LIMIT_USD: ofAll, JOB_KEY_MONTHLY_COST_LIMIT_USD: ofKey } = config;
  if (ofAll !== undefined)
    refuseOverCost(
      'monthly-cost',
      'this organization',
      ofAll,
      await monthlyCost(tx, organizationId),
    );
  if (ofKey !== undefined && apiKeyId !== null)
    refuseOverCost(
      'key-monthly-cost',
      'this key',
      ofKey,
      await monthlyCost(tx, organizationId, apiKeyId),
    );
}

function refuseOverCost(
  policy: string,
  who: string,
  limit: number,
  cost: { microUsd: number; secondsLeft: number },
): void {
  if (cost.microUsd < limit * 1_000_000) return;
  throw jobLimitReached(
    policy,
    limit,
    cost.secondsLeft,
    `Limit exceeded: ${who} may spend ${limit} US dollars per month on agent jobs. ` +
      'It resets with the calendar month (UTC).',
  );
}

/** The 429 of a limit; `seconds`: when to try again. */
export function jobLimitReached(
  policy: string,
  limit: number,
  seconds: number,
  sentence: string,
): Problem {
  limitRefusals.inc({ limit: policy });
  return new Problem('limit_exceeded', sentence, {
    headers: {
      ...retryAfter(seconds),
      ratelimit: `"${policy}";r=0;t=${seconds}`,
      'ratelimit-policy': `"${policy}";q=${limit}`,
    },
  });
}
