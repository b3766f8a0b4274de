import type { Queryable } from '../pool.ts';

/** Attempts per hour from an address, on whichever accounts. */
const PER_ADDRESS = 60;
/**
 * Attempts per hour on an account from one address; also the attempts from all addresses after which
 * each address has a single one. So guesses keep nobody out who has not failed, and many addresses
 * are of little use for guessing. A success gives them back.
 */
const PER_ACCOUNT = 10;

/**
 * What people type into the field may be no e-mail of theirs, or a password: it is not kept. In
 * lower case by the database, as accounts are found: what it takes for the same letter must not be
 * counted as another account.
 */
const ACCOUNT = `encode(sha256(convert_to(lower($1), 'UTF8')), 'base64')`;

const ACCOUNT_FROM_ADDRESS = `${ACCOUNT} || ' ' || $2`;
const IS_UNDER_ATTACK = `exists (
  select from limit_counts
   where scope = 'sign_in_account' and id = ${ACCOUNT} and n >= ${PER_ACCOUNT}
     and window_start = date_trunc('hour', clock_timestamp(), 'UTC'))`;

/**
 * Counts an attempt before its password is looked at; by the address alone if it names no
 * account (`email` null). Seconds to wait if there were too many already; else undefined.
 */
export async function takeSignInAttempt(
  db: Queryable,
  address: string,
  email: string | null,
): Promise<number | undefined> {
  const { rows } = await db.query<{ seconds: number }>(
    `select ceil(extract(epoch from resets_at - clock_timestamp()))::int as seconds
       from (select array_agg(scope) as scopes, array_agg(id) as ids,
                    array_agg('hour'::text) as units, array_agg(maximum) as maxima
               from (values ('sign_in_address', $2, ${PER_ADDRESS}),
                            ('sign_in_account', ${ACCOUNT_FROM_ADDRESS},
                             case when ${IS_UNDER_ATTACK} then 1 else ${PER_ACCOUNT} end),
                            ('sign_in_account', ${ACCOUNT}, 2147483647)
                    ) as limits (scope, id, maximum)
              where id is not null) as counted, take_limits(scopes, ids, units, maxima)
      where violated`,
    [email, address],
  );
  return rows[0]?.seconds;
}

/** Forgets the failures of an account, here and in all: its owner has signed in. */
export async function clearSignInAttempts(
  db: Queryable,
  address: string,
  email: string,
): Promise<void> {
  await db.query(
    `delete from limit_counts
      where scope = 'sign_in_account' and id in (${ACCOUNT}, ${ACCOUNT_FROM_ADDRESS})`,
    [email, address],
  );
}
