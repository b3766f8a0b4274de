import type { Role } from './role.ts';
import { newId } from '../../shared/ids.ts';
import type { Queryable, Transaction } from '../pool.ts';

export interface User {
  id: string;
  email: string;
  name: string;
}

const COLUMNS = 'id, email, name';

/**
 * `passwordHash` null: a provider signs them in. Rejects with Postgres' `unique_violation` where
 * the e-mail (case aside) has an account.
 */
export async function createUser(
  db: Queryable,
  user: { email: string; name: string; passwordHash: string | null },
): Promise<User> {
  const { rows } = await db.query<User>(
    `insert into users (id, email, name, password_hash) values ($1, $2, $3, $4)
     returning ${COLUMNS}`,
    [newId('usr'), user.email, user.name, user.passwordHash],
  );
  return rows[0]!;
}

export async function findUserByEmail(
  db: Queryable,
  email: string,
): Promise<(User & { passwordHash: string | null }) | undefined> {
  const { rows } = await db.query<User & { passwordHash: string | null }>(
    `select ${COLUMNS}, password_hash as "passwordHash" from users where lower(email) = lower($1)`,
    [email],
  );
  return rows[0];
}

/** The user of an id that is known to be one. */
export async function findUser(db: Queryable, id: string): Promise<User> {
  const { rows } = await db.query<User>(`select ${COLUMNS} from users where id = $1`, [id]);
  return rows[0]!;
}

/** Whether anybody can sign in. */
export async function hasUsers(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ some: boolean }>('select exists (select 1 from users) as some');
  return rows[0]!.some;
}

export async function renameUser(db: Queryable, userId: string, name: string): Promise<void> {
  await db.query('update users set name = $2 where id = $1', [userId, name]);
}

export async function setPasswordHash(
  db: Queryable,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await db.query('update users set password_hash = $2 where id = $1', [userId, passwordHash]);
}

/**
 * Removes an account with its sessions and memberships, and what invites its address back. False
 * if there is none.
 */
export async function deleteUser(db: Queryable, email: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `with gone as (delete from users where lower(email) = lower($1) returning email),
          withdrawn as (delete from invitations i using gone
                         where lower(i.email) = lower(gone.email) and i.accepted_at is null)
     select from gone`,
    [email],
  );
  return rowCount === 1;
}

export interface Member extends User {
  role: Role;
  joinedAt: Date;
  lastSeenAt: Date | null;
}

/** An organization's members, oldest first. */
export async function listMembers(db: Queryable, organizationId: string): Promise<Member[]> {
  const { rows } = await db.query<Member>(
    `select u.id, u.email, u.name, m.role, m.created_at as "joinedAt",
            (select max(last_used_at) from sessions s where s.user_id = u.id) as "lastSeenAt"
       from memberships m join users u on u.id = m.user_id
      where m.organization_id = $1 order by m.created_at, u.id`,
    [organizationId],
  );
  return rows;
}

/** Makes a user a member; a member keeps the higher role. */
export async function addMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await tx.query(
    `insert into memberships as m (organization_id, user_id, role) values ($1, $2, $3)
     on conflict (user_id, organization_id) do update set role = excluded.role
      where array_position(array['viewer', 'member', 'owner'], m.role)
            < array_position(array['viewer', 'member', 'owner'], excluded.role)`,
    [organizationId, userId, role],
  );
}

/**
 * Gives a member another role, or takes the membership away (`null`). An organization keeps an
 * owner.
 */
export async function changeMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
  role: Role | null,
): Promise<{ before: Role } | 'unknown' | 'last_owner'> {
  // Two owners who leave at the same time take turns here.
  await tx.query('select 1 from organizations where id = $1 for update', [organizationId]);
  const {
    rows: [member],
  } = await tx.query<{ role: Role; others: number }>(
    `select role,
            (select count(*) from memberships o
              where o.organization_id = $1 and o.role = 'owner' and o.user_id <> $2) as others
       from memberships where organization_id = $1 and user_id = $2`,
    [organizationId, userId],
  );
  if (!member) return 'unknown';
  if (member.role === 'owner' && role !== 'owner' && member.others === 0) return 'last_owner';
  if (role === null) await removeMember(tx, organizationId, userId);
  else
    await tx.query('update memberships set role = $3 where organization_id = $1 and user_id = $2', [
      organizationId,
      userId,
      role,
    ]);
  return { before: member.role };
}

/**
 * An invitation that is still open would let them back in at their next sign-in through a provider.
 */
async function removeMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<void> {
  await tx.query('delete from memberships where organization_id = $1 and user_id = $2', [
    organizationId,
    userId,
  ]);
  await tx.query(
    `delete from invitations i using users u
      where u.id = $2 and i.organization_id = $1 and lower(i.email) = lower(u.email)
        and i.accepted_at is null`,
    [organizationId, userId],
  );
}

export interface Membership {
  organization: { id: string; slug: string; name: string };
  role: Role;
}

/** The user's place in the organization of that slug; undefined if there is none. */
export async function findMembership(
  db: Queryable,
  userId: string,
  slug: string,
): Promise<Membership | undefined> {
  const { rows } = await db.query<Membership>(
    `select jsonb_build_object('id', o.id, 'slug', o.slug, 'name', o.name) as organization, m.role
       from memberships m join organizations o on o.id = m.organization_id
      where m.user_id = $1 and o.slug = $2`,
    [userId, slug],
  );
  return rows[0];
}

/**
 * The user's place in the organization that a project belongs to; undefined if there is none.
 */
export async function findProjectMembership(
  db: Queryable,
  userId: string,
  projectId: string,
): Promise<Membership | undefined> {
  const { rows } = await db.query<Membership>(
    `select jsonb_build_object('id', o.id, 'slug', o.slug, 'name', o.name) as organization, m.role
       from projects p join organizations o on o.id = p.organization_id
       join memberships m on m.organization_id = o.id
      where p.id = $2 and p.deleted_at is null and m.user_id = $1`,
    [userId, projectId],
  );
  return rows[0];
}

export interface UserOrganization {
  id: string;
  slug: string;
  name: string;
  role: Role;
  projects: { id: string; domain: string; name: string }[];
}

/** The organizations that a user belongs to, with their projects, oldest first. */
export async function listUserOrganizations(
  db: Queryable,
  userId: string,
): Promise<UserOrganization[]> {
  const { rows } = await db.query<UserOrganization>(
    `select o.id, o.slug, o.name, m.role,
            coalesce((select jsonb_agg(
                               jsonb_build_object('id', p.id, 'domain', p.domain, 'name', p.name)
                               order by p.created_at, p.id)
                        from projects p
                       where p.organization_id = o.id and p.deleted_at is null), '[]') as projects
       from memberships m join organizations o on o.id = m.organization_id
      where m.user_id = $1 order by o.created_at, o.id`,
    [userId],
  );
  return rows;
}
