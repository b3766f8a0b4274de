import { scryptSync } from 'node:crypto';
import { createUser, findUserByEmail } from '../../db/people/users.ts';
import type { Pool } from '../../db/pool.ts';

export const PASSWORD = 'correct horse battery';

const CHEAP = { N: 16, r: 8, p: 1 };
const SALT = Buffer.from('salt');
/**
 * `PASSWORD` as it is stored, at a cost that is stored with it: ours is 0.3 s of CPU, and tests
 * sign in hundreds of people. The tests of sign-in set and check passwords at the full cost.
 */
const STORED = [
  'scrypt',
  ...Object.values(CHEAP),
  SALT.toString('base64url'),
  scryptSync(PASSWORD, SALT, 32, CHEAP).toString('base64url'),
].join('$');

/** Somebody who can sign in with `PASSWORD`, and is in no organization; whoever is there stays. */
export async function ensureAccount(pool: Pool, email: string, name: string): Promise<void> {
  if (!(await findUserByEmail(pool, email)))
    await createUser(pool, { email, name, passwordHash: STORED });
}
