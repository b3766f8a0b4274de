import type { Role } from './role.ts';
import { newId } from '../../shared/ids.ts';
import { hashSecretToken, newSecretToken } from '../../shared/secrets/secret-token.ts';
import type { Queryable, Transaction } from '../pool.ts';
import {
  INVITATION_HOURS,
  RESET_LINK_HOURS,
  SETUP_LINK_HOURS,
} from './session-and-link-lifetimes.ts';

export interface Invitation {
  id: string;
  organizationId: string;
  /** Null: the first run's link; the person who has it enters their own. */
  email: string | null;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
}

const COLUMNS = `id, organization_id as "organizationId", email, role, created_at as "createdAt",
  expires_at as "expiresAt"`;
const OPEN = 'accepted_at is null and expires_at > now()';

export interface NewInvitation {
  organizationId: string;
  email: string;
  role: Role;
  /** The user who invites. */
  createdBy?: string;
}

/**
 * Invites an e-mail address for 7 days; what was open for it before ends. The token is in the
 * answer and nowhere else.
 */
export async function createInvitation(
  tx: Transaction,
  invitation: NewInvitation,
): Promise<{ token: string; invitation: Invitation }> {
  await tx.query(
    `delete from invitations
      where organization_id = $1 and lower(email) = lower($2) and accepted_at is null`,
    [invitation.organizationId, invitation.email],
  );
  return insert(tx, { ...invitation, hours: INVITATION_HOURS });
}

/**
 * The link that makes the first owner, for a day; the one before ends. Undefined if a person can
 * sign in already.
 */
export async function createSetupLink(
  tx: Transaction,
  organizationId: string,
): Promise<{ token: string } | undefined> {
  await tx.query('lock table users in share mode'); // nobody is added between the look and the link
  const {
    rows: [found],
  } = await tx.query<{ users: boolean }>('select exists (select 1 from users) as users');
  if (found?.users) return undefined;
  await tx.query('delete from invitations where email is null and accepted_at is null');
  return insert(tx, { organizationId, email: null, role: 'owner', hours: SETUP_LINK_HOURS });
}

async function insert(
  tx: Transaction,
  row: {
    organizationId: string;
    email: string | null;
    role: Role;
    createdBy?: string;
    hours: number;
  },
): Promise<{ token: string; invitation: Invitation }> {
  const { token, hash } = newSecretToken();
  const { rows } = await tx.query<Invitation>(
    `insert into invitations (id, organization_id, email, role, hash, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(hours => $7)) returning ${COLUMNS}`,
    [newId('inv'), row.organizationId, row.email, row.role, hash, row.createdBy ?? null, row.hours],
  );
  return { token, invitation: rows[0]! };
}

/**
 * The open invitation of a token, with the organization's name and whether its address has an
 * account.
 */
export async function findInvitation(
  db: Queryable,
  token: string,
): Promise<(Invitation & { organization: string; account: boolean }) | undefined> {
  const { rows } = await db.query<Invitation & { organization: string; account: boolean }>(
    `select ${COLUMNS},
            (select name from organizations o where o.id = organization_id) as organization,
            exists (select 1 from users u where lower(u.email) = lower(i.email)) as account
       from invitations i where hash = $1 and ${OPEN}`,
    [hashSecretToken(token)],
  );
  return rows[0];
}

/** Uses up an invitation. False if another request was quicker, or it has expired. */
export async function acceptInvitation(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update invitations set accepted_at = now() where id = $1 and ${OPEN}`,
    [id],
  );
  if (rowCount !== 1) return false;
  // The first run is over.
  await tx.query('delete from invitations where email is null and accepted_at is null');
  return true;
}

/** Open invitations of an address, newest first. */
export async function listInvitations(
  db: Queryable,
  organizationId: string,
): Promise<(Invitation & { email: string })[]> {
  const { rows } = await db.query<Invitation & { email: string }>(
    `select ${COLUMNS} from invitations where organization_id = $1 and email is not null and ${OPEN}
      order by created_at desc, id desc`,
    [organizationId],
  );
  return rows;
}

/** Open invitations of an address, of every organization. */
export async function listInvitationsOf(db: Queryable, email: string): Promise<Invitation[]> {
  const { rows } = await db.query<Invitation>(
    `select ${COLUMNS} from invitations where lower(email) = lower($1) and ${OPEN} order by id`,
    [email],
  );
  return rows;
}

/** Whom it invited; undefined if there is no such open invitation. */
export async function deleteInvitation(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<string | null | undefined> {
  const { rows } = await db.query<{ email: string | null }>(
    `delete from invitations
      where organization_id = $1 and id = $2 and accepted_at is null returning email`,
    [organizationId, id],
  );
  return rows[0]?.email;
}

/** A link with which a user sets a new password, for an hour; the one before ends. */
export async function createResetLink(db: Queryable, userId: string): Promise<{ token: string }> {
  const { token, hash } = newSecretToken();
  await db.query(
    `with old as (delete from reset_links where user_id = $2)
     insert into reset_links (hash, user_id, expires_at)
     values ($1, $2, now() + make_interval(hours => $3))`,
    [hash, userId, RESET_LINK_HOURS],
  );
  return { token };
}

export async function isResetLink(db: Queryable, token: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from reset_links where hash = $1 and expires_at > now()',
    [hashSecretToken(token)],
  );
  return rowCount === 1;
}

/** Uses up a reset link: the user it is for, or undefined if it is unknown, used or too old. */
export async function takeResetLink(tx: Transaction, token: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ userId: string }>(
    'delete from reset_links where hash = $1 and expires_at > now() returning user_id as "userId"',
    [hashSecretToken(token)],
  );
  return rows[0]?.userId;
}
