import { newId } from '../../shared/ids.ts';
import { hashSecretToken, newSecretToken } from '../../shared/secrets/secret-token.ts';
import type { Queryable } from '../pool.ts';
import { SESSION_DAYS, SESSION_IDLE_DAYS } from './session-and-link-lifetimes.ts';
import type { User } from './users.ts';

const LIVE = `last_used_at > now() - interval '${SESSION_IDLE_DAYS} days'
   and created_at > now() - interval '${SESSION_DAYS} days'`;
const EXPIRES = `least(
  last_used_at + interval '${SESSION_IDLE_DAYS} days',
  created_at + interval '${SESSION_DAYS} days'
)`;

/** Begins a session; the token is for the cookie and nowhere else. */
export async function createSession(
  db: Queryable,
  session: { userId: string; address: string; userAgent: string },
): Promise<{ id: string; token: string }> {
  const { token, hash } = newSecretToken();
  const id = newId('ses');
  await db.query(
    'insert into sessions (id, user_id, hash, address, user_agent) values ($1, $2, $3, $4, $5)',
    [id, session.userId, hash, session.address, session.userAgent],
  );
  return { id, token };
}

export interface SignedIn {
  id: string;
  user: User;
}

/**
 * The session of a cookie's token, unless it has expired, and notes that it was used (at most once
 * a minute).
 */
export async function findSession(db: Queryable, token: string): Promise<SignedIn | undefined> {
  const { rows } = await db.query<SignedIn>({
    name: 'find-session',
    text: `with found as (select id, user_id from sessions where hash = $1 and ${LIVE}),
                touched as (
                  update sessions set last_used_at = now()
                   where id = (select id from found)
                     and last_used_at < now() - interval '1 minute')
           select f.id, jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as user
             from found f join users u on u.id = f.user_id`,
    values: [hashSecretToken(token)],
  });
  return rows[0];
}

/**
 * Whether a session has not ended, and its user still belongs to the organization of a project. It
 * does not count as used by that.
 */
export async function isStillThere(
  db: Queryable,
  sessionId: string,
  projectId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'session-still-there',
    text: `select 1 from sessions
            where id = $1 and ${LIVE} and user_id in (
              select m.user_id from memberships m
                join projects p on p.organization_id = m.organization_id
               where p.id = $2 and p.deleted_at is null)`,
    values: [sessionId, projectId],
  });
  return rowCount === 1;
}

export interface SessionRow {
  id: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** A user's live sessions, the last used first. */
export async function listSessions(db: Queryable, userId: string): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    `select id, address, user_agent as "userAgent", created_at as "createdAt",
            last_used_at as "lastUsedAt", ${EXPIRES} as "expiresAt"
       from sessions where user_id = $1 and ${LIVE} order by last_used_at desc, id`,
    [userId],
  );
  return rows;
}

/** Ends one of a user's sessions. False if it is not there. */
export async function deleteSession(db: Queryable, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from sessions where id = $1 and user_id = $2', [
    id,
    userId,
  ]);
  return rowCount === 1;
}

/** Ends the session of a cookie's token, if it is one. */
export async function deleteSessionOf(db: Queryable, token: string): Promise<void> {
  await db.query('delete from sessions where hash = $1', [hashSecretToken(token)]);
}

/** Ends all of a user's sessions but `keep`. */
export async function deleteSessions(
  db: Queryable,
  userId: string,
  keep: string | null,
): Promise<void> {
  await db.query('delete from sessions where user_id = $1 and id is distinct from $2', [
    userId,
    keep,
  ]);
}

/** Removes sessions and links that can no longer be used. */
export async function deleteExpiredSignIns(db: Queryable): Promise<void> {
  await db.query(`delete from sessions where not (${LIVE})`);
  await db.query('delete from reset_links where expires_at < now()');
  await db.query('delete from sign_on_attempts where expires_at < now()');
}
