import { createHash } from 'node:crypto';
import type { Queryable } from './pool.ts';

/** Attempts an hour. A person needs a few; the account's are given back when one succeeds. */
const PER_ADDRESS = 60;
const PER_ACCOUNT = 10;

/**
 * Counts an attempt before its password is looked at; by the address alone where it names no account (`email` null).
 * Seconds to wait where there were too many already; undefined: go on.
 */
export async function takeSignInAttempt(db: Queryable, address: string, email: string | null): Promise<number | undefined> {
  const limits = [['sign_in_address', address, PER_ADDRESS], ...(email === null ? [] : [['sign_in_account', accountScope(email), PER_ACCOUNT]])];
  const { rows } = await db.query<{ seconds: number }>(
    `select ceil(extract(epoch from resets_at - clock_timestamp()))::int as seconds
       from take_limits($1, $2, array_fill('hour'::text, array[cardinality($1::text[])]), $3)
      where violated`,
    [0, 1, 2].map(i => limits.map(limit => limit[i])),
  );
  return rows[0]?.seconds;
}

/** Forgets the failures of an account: its owner has signed in. */
export async function clearSignInAttempts(db: Queryable, email: string): Promise<void> {
  await db.query(`delete from limit_counts where scope = 'sign_in_account' and id = $1`, [accountScope(email)]);
}

/** What people type into the field may be no e-mail of theirs, or a password: it is not kept. */
function accountScope(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}
