import { hashSecretToken, newSecretToken } from '../../shared/secrets/secret-token.ts';
import type { Queryable, Transaction } from '../pool.ts';
import { SIGN_ON_MINUTES } from './session-and-link-lifetimes.ts';
import type { User } from './users.ts';

/** A person's identity at the provider. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Null if the provider does not vouch for it. */
  email: string | null;
  name: string | null;
}

/** Begins an attempt; the token is for the browser's cookie and nowhere else. */
export async function createSignOnAttempt(db: Queryable): Promise<{ token: string }> {
  const { token, hash } = newSecretToken();
  await insert(db, hash, null);
  return { token };
}

/** Uses up an attempt. False if it is unknown, used or too old. */
export async function takeSignOnAttempt(db: Queryable, token: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from sign_on_attempts where hash = $1 and identity is null and expires_at > now()',
    [hashSecretToken(token)],
  );
  return rowCount === 1;
}

/**
 * Keeps an identity under the token of the attempt that it came from, until a password confirms it.
 */
export async function keepUnconfirmed(
  db: Queryable,
  token: string,
  identity: Identity & { email: string },
): Promise<void> {
  await insert(db, hashSecretToken(token), identity);
}

async function insert(db: Queryable, hash: Buffer, identity: Identity | null): Promise<void> {
  await db.query(
    `insert into sign_on_attempts (hash, identity, expires_at)
     values ($1, $2, now() + make_interval(mins => $3))`,
    [hash, identity && JSON.stringify(identity), SIGN_ON_MINUTES],
  );
}

/** The identity that waits for a password; undefined if there is none. */
export async function findUnconfirmed(
  db: Queryable,
  token: string,
): Promise<(Identity & { email: string }) | undefined> {
  const { rows } = await db.query<{ identity: Identity & { email: string } }>(
    `select identity from sign_on_attempts
      where hash = $1 and identity is not null and expires_at > now()`,
    [hashSecretToken(token)],
  );
  return rows[0]?.identity;
}

/** Uses up what `findUnconfirmed` found. False if another request was quicker. */
export async function takeUnconfirmed(tx: Transaction, token: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from sign_on_attempts where hash = $1 and identity is not null',
    [hashSecretToken(token)],
  );
  return rowCount === 1;
}

export async function findUserByIdentity(
  db: Queryable,
  { issuer, subject }: Identity,
): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `select id, email, name from users u join user_identities i on i.user_id = u.id
      where i.issuer = $1 and i.subject = $2`,
    [issuer, subject],
  );
  return rows[0];
}

/** Binds an identity to a user. False if either is bound to another of that issuer. */
export async function linkIdentity(
  tx: Transaction,
  userId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into user_identities (issuer, subject, user_id) values ($1, $2, $3)
     on conflict do nothing`,
    [issuer, subject, userId],
  );
  return rowCount === 1;
}

export async function hasIdentityOf(
  db: Queryable,
  userId: string,
  issuer: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from user_identities where user_id = $1 and issuer = $2',
    [userId, issuer],
  );
  return rowCount === 1;
}

export interface SignInWays {
  hasPassword: boolean;
  /** Since when an identity is linked; null: none is. */
  linkedAt: Date | null;
}

export async function findSignInWays(db: Queryable, userId: string): Promise<SignInWays> {
  const { rows } = await db.query<SignInWays>(
    `select password_hash is not null as "hasPassword",
            (select max(created_at) from user_identities i where i.user_id = u.id) as "linkedAt"
       from users u where id = $1`,
    [userId],
  );
  return rows[0]!;
}

/** Unlinks a user from every provider, unless that would leave no way to sign in: then false. */
export async function unlinkIdentities(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ may: boolean }>(
    `with may as (select id from users where id = $1 and password_hash is not null),
          gone as (delete from user_identities where user_id in (select id from may))
     select exists (select 1 from may) as may`,
    [userId],
  );
  return rows[0]!.may;
}
