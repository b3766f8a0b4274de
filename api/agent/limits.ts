import type { Config } from '../../shared/config.ts';
import { countActiveJobs, monthlyCost } from '../../shared/db/jobs.ts';
import type { Transaction } from '../../shared/db/pool.ts';
import { Problem } from '../../shared/errors.ts';

const RETRY_SECONDS = 30;

/** Refuses work that would take a project over its active jobs, or its organization over its monthly cost. */
export async function refuseOverLimit(tx: Transaction, config: Config, project: { id: string; organizationId: string }): Promise<void> {
  const active = config.JOB_MAX_ACTIVE_PER_PROJECT;
  if (await countActiveJobs(tx, project.id) >= active) {
    throw limitReached('active-jobs', active, RETRY_SECONDS, `This project has ${active} active jobs, which is its limit; it resets as jobs finish.`);
  }
  const limit = config.JOB_MONTHLY_COST_LIMIT_USD;
  if (limit === undefined) return;
  const cost = await monthlyCost(tx, project.organizationId);
  if (cost.microUsd >= limit * 1_000_000) {
    throw limitReached('monthly-cost', limit, cost.secondsLeft, `This organization has used up its agent budget of ${limit} US dollars; it resets with the calendar month (UTC).`);
  }
}

/** The 429 of a limit: `quota` is its size, `seconds` when to try again. */
export function limitReached(policy: string, quota: number, seconds: number, sentence: string): Problem {
  return new Problem('limit_exceeded', sentence, {
    headers: { 'retry-after': String(seconds), ratelimit: `"${policy}";r=0;t=${seconds}`, 'ratelimit-policy': `"${policy}";q=${quota}` },
  });
}
