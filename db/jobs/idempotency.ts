import { HOLDER, isGone } from '../holder.ts';
import type { Queryable, Transaction } from '../pool.ts';

/**
 * After this long the process of a first request is dead, or as good as that. What it stored stands;
 * the sweeper starts a job, and a repeat delivers a message.
 */
const ABANDONED_SECONDS = 60;
/** So long a process may seem gone while it connects again to a Postgres that has restarted. */
const RECONNECTING_SECONDS = 3;

export interface IdempotencyScope {
  organizationId: string;
  apiKeyId: string;
  /** "create <projectId>" or "message <jobId>". */
  route: string;
  key: string;
  bodyHash: Buffer;
}

export type Claim =
  | { outcome: 'first' }
  | { outcome: 'under_way' }
  | { outcome: 'other_body' }
  /** `undelivered`: the message that a dead process stored, and perhaps did not deliver. */
  | { outcome: 'repeated'; jobId: string; undelivered: string | null };

/**
 * Claims a key for this request, or says what became of the request that has it. A second request
 * waits for the first one's transaction.
 */
export async function claimIdempotencyKey(
  tx: Transaction,
  scope: IdempotencyScope,
): Promise<Claim> {
  const inserted = await tx.query(
    `insert into idempotency_keys (organization_id, api_key_id, route, key, body_hash, holder)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [scope.organizationId, scope.apiKeyId, scope.route, scope.key, scope.bodyHash, HOLDER],
  );
  if (inserted.rowCount === 1) return { outcome: 'first' };
  const {
    rows: [found],
  } = await tx.query<{ same: boolean; done: boolean; jobId: string; undelivered: string | null }>(
    `select body_hash = $4 as same, job_id as "jobId",
            case when completed_at is null then message_id end as undelivered,
            completed_at is not null
               or (job_id is not null
                   and (created_at < now() - make_interval(secs => $5)
                        or (created_at < now() - make_interval(secs => $6)
                            and ${isGone('holder')}))) as done
       from idempotency_keys where api_key_id = $1 and route = $2 and key = $3`,
    [
      ...[scope.apiKeyId, scope.route, scope.key, scope.bodyHash],
      ...[ABANDONED_SECONDS, RECONNECTING_SECONDS],
    ],
  );
  // Its first request failed and gave the key back between our two statements: for this caller
  // it still runs.
  if (!found) return { outcome: 'under_way' };
  if (!found.same) return { outcome: 'other_body' };
  const { done, jobId, undelivered } = found;
  return done ? { outcome: 'repeated', jobId, undelivered } : { outcome: 'under_way' };
}

/** Binds a claimed key to what it made, in the transaction that makes it. */
export async function bindIdempotencyKey(
  tx: Transaction,
  scope: IdempotencyScope,
  jobId: string,
  messageId: string | null,
): Promise<void> {
  await tx.query(
    `update idempotency_keys set job_id = $4, message_id = $5
      where api_key_id = $1 and route = $2 and key = $3`,
    [scope.apiKeyId, scope.route, scope.key, jobId, messageId],
  );
}

/**
 * From here a repeat of the request gets the job. False: the key was given back, and perhaps made
 * another message since.
 */
export async function completeIdempotencyKey(
  db: Queryable,
  scope: IdempotencyScope,
  messageId: string | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update idempotency_keys set completed_at = now()
      where api_key_id = $1 and route = $2 and key = $3 and message_id is not distinct from $4`,
    [scope.apiKeyId, scope.route, scope.key, messageId],
  );
  return rowCount === 1;
}

/** False: a repeat has completed the message's key. Until the transaction ends, none can. */
export async function lockIdempotencyKey(
  tx: Transaction,
  scope: IdempotencyScope,
  messageId: string,
): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from idempotency_keys
      where api_key_id = $1 and route = $2 and key = $3 and message_id = $4
        and completed_at is null for update`,
    [scope.apiKeyId, scope.route, scope.key, messageId],
  );
  return rows.length === 1;
}

/** Gives a key back whose request failed: it may be tried again. */
export async function releaseIdempotencyKey(
  tx: Transaction,
  scope: IdempotencyScope,
): Promise<void> {
  await tx.query('delete from idempotency_keys where api_key_id = $1 and route = $2 and key = $3', [
    scope.apiKeyId,
    scope.route,
    scope.key,
  ]);
}

/** Removes up to `limit` keys that no retry can still mean. How many it were. */
export async function deleteOldIdempotencyKeys(
  db: Queryable,
  retentionHours: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys
        where created_at < now() - make_interval(hours => $1) order by created_at limit $2))`,
    [retentionHours, limit],
  );
  return rowCount ?? 0;
}
