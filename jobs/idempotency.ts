import { type IdempotencyScope, claimIdempotencyKey } from '../db/jobs/idempotency.ts';
import type { Transaction } from '../db/pool.ts';
import { Problem } from '../shared/errors.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../shared/retry-after.ts';

/**
 * What an earlier request with this key made: the id of its job, and of its message if that may not
 * be delivered. Undefined if this is the first. Throws 409 and 422.
 */
export async function claimKey(
  tx: Transaction,
  scope: IdempotencyScope | undefined,
): Promise<{ jobId: string; undelivered: string | null } | undefined> {
  if (!scope) return undefined;
  const claimed = await claimIdempotencyKey(tx, scope);
  switch (claimed.outcome) {
    case 'first':
      return undefined;
    case 'repeated':
      return claimed;
    case 'under_way':
      throw new Problem(
        'conflict',
        'The first request with this Idempotency-Key is still running.',
        { headers: retryAfter(RETRY_AFTER_SECONDS.sameRequestRunning) },
      );
    case 'other_body':
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another body.',
      );
  }
}
