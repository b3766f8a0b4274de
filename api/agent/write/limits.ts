import type { Config } from '../../../shared/config.ts';
import { countActiveJobs } from '../../../shared/db/jobs/jobs.ts';
import { monthlyCost } from '../../../shared/db/models/model-calls.ts';
import type { Transaction } from '../../../shared/db/pool.ts';
import { Problem } from '../../../shared/errors.ts';

const RETRY_SECONDS = 30;

/** What a limit counts for. */
export interface Spender {
  projectId: string;
  organizationId: string;
  /** Null for a job that a user of the dashboard made. */
  apiKeyId: string | null;
}

/**
 * Refuses work that would take a project over its active jobs, or its organization or key over its
 * monthly cost.
 */
export async function refuseOverLimit(
  tx: Transaction,
  config: Config,
  { projectId, organizationId, apiKeyId }: Spender,
): Promise<void> {
  const active = config.JOB_MAX_ACTIVE_PER_PROJECT;
  if ((await countActiveJobs(tx, projectId)) >= active) {
    throw limitReached(
      'active-jobs',
      active,
      RETRY_SECONDS,
      `This project has ${active} active jobs, which is its limit; it resets as jobs finish.`,
    );
  }
  const { JOB_MONTHLY_COST_LIMIT_USD: ofAll, JOB_KEY_MONTHLY_COST_LIMIT_USD: ofKey } = config;
  if (ofAll !== undefined)
    refuseOverCost(
      'monthly-cost',
      'This organization',
      ofAll,
      await monthlyCost(tx, organizationId),
    );
  if (ofKey !== undefined && apiKeyId !== null)
    refuseOverCost(
      'key-monthly-cost',
      'This key',
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
  throw limitReached(
    policy,
    limit,
    cost.secondsLeft,
    `${who} has used up its agent budget of ${limit} US dollars; it resets with the calendar month (UTC).`,
  );
}

/** The 429 of a limit: `quota` is its size, `seconds` when to try again. */
export function limitReached(
  policy: string,
  quota: number,
  seconds: number,
  sentence: string,
): Problem {
  return new Problem('limit_exceeded', sentence, {
    headers: {
      'retry-after': String(seconds),
      ratelimit: `"${policy}";r=0;t=${seconds}`,
      'ratelimit-policy': `"${policy}";q=${quota}`,
    },
  });
}
