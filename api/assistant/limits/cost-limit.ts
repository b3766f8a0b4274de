import type { Config } from '../../../shared/config.ts';
import { keyCostThisMonth } from '../../../db/models/model-calls.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { ApiKey } from '../../../db/projects/keys.ts';
import { limitRefusals } from '../../../shared/metrics/metrics.ts';
import { Problem } from '../../../shared/errors.ts';
import { retryAfter } from '../../../shared/retry-after.ts';

/** Throws 429 if the key's answers have reached their monthly cost limit. */
export async function refuseOverCostLimit(
  db: Queryable,
  config: Config,
  key: ApiKey,
): Promise<void> {
  const limit = config.ASSISTANT_KEY_MONTHLY_COST_LIMIT_USD * 1e6;
  if ((await keyCostThisMonth(db, key.id)) < limit) return;
  const now = new Date();
  const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  limitRefusals.inc({ limit: 'answers-monthly-cost' });
  throw new Problem(
    'limit_exceeded',
    `Limit exceeded: monthly cost of this API key. It resets at ${resetsAt.toISOString()}.`,
    { headers: retryAfter(Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)) },
  );
}
