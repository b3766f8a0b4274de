import { createHash } from 'node:crypto';
import type { Queryable } from './pool.ts';

/** Attempts an hour. A person needs a few; the account's are given back when one succeeds. */
const PER_ADDRESS = 60;
const PER_ACCOUNT = 10;

/** Counts an attempt before its password is looked at. Seconds to wait where there were too many already; undefined: go on. */
export async function takeSignInAttempt(db: Queryable, address: string, email: string): Promise<number | undefined> {
  const { rows } = await db.query<{ seconds: number }>(
    `select ceil(extract(epoch from resets_at - clock_timestamp()))::int as seconds
       from take_limits(array['sign_in_address', 'sign_in_account'], array[$1, $2], array['hour', 'hour'], array[$3, $4]::int[])
      where violated`,
    [address, accountScope(email), PER_ADDRESS, PER_ACCOUNT],
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
