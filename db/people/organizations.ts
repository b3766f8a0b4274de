import { Problem } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Queryable } from '../pool.ts';

export interface Organization {
  id: string;
  slug: string;
  name: string;
  createdAt: Date;
}

const COLUMNS = 'id, slug, name, created_at as "createdAt"';

/**
 * Makes an organization. Throws `invalid_request` if its slug is the address of a page; rejects
 * with Postgres'
 * `unique_violation` if it is taken.
 */
export async function createOrganization(
  db: Queryable,
  organization: { slug: string; name: string },
): Promise<Organization> {
  if (RESERVED_SLUGS.includes(organization.slug.toLowerCase())) {
    // the dashboard's router takes both cases for one
    throw new Problem(
      'invalid_request',
      `"${organization.slug}" cannot be an organization's slug: ` +
        'the dashboard has a page of its own at that address.',
    );
  }
  const { rows } = await db.query<Organization>(
    `insert into organizations (id, slug, name) values ($1, $2, $3) returning ${COLUMNS}`,
    [newId('org'), organization.slug, organization.name],
  );
  return rows[0]!;
}

export async function findOrganizationBySlug(
  db: Queryable,
  slug: string,
): Promise<Organization | undefined> {
  const { rows } = await db.query<Organization>(
    `select ${COLUMNS} from organizations where slug = $1`,
    [slug],
  );
  return rows[0];
}

/** All organizations of this installation, oldest first. */
export async function listOrganizations(db: Queryable): Promise<Organization[]> {
  const { rows } = await db.query<Organization>(
    `select ${COLUMNS} from organizations order by created_at, id`,
  );
  return rows;
}

export async function renameOrganization(db: Queryable, id: string, name: string): Promise<void> {
  await db.query('update organizations set name = $2 where id = $1', [id, name]);
}

/** All organizations of this installation with what they have, oldest first. */
export async function summarizeOrganizations(
  db: Queryable,
): Promise<(Organization & { members: number; projects: number })[]> {
  const { rows } = await db.query<Organization & { members: number; projects: number }>(
    `select ${COLUMNS},
            (select count(*) from memberships m where m.organization_id = o.id) as members,
            (select count(*) from projects p
              where p.organization_id = o.id and p.deleted_at is null) as projects
       from organizations o order by created_at, id`,
  );
  return rows;
}

/**
 * Whether a user manages the installation's organizations: an owner of the first one, which is that of the
 * operator.
 */
export async function managesOrganizations(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ manages: boolean }>(
    `select exists (
       select 1 from memberships
        where user_id = $1 and role = 'owner' and organization_id = (
          select id from organizations order by created_at, id limit 1)) as manages`,
    [userId],
  );
  return rows[0]!.manages;
}

/**
 * What an address under `/dashboard/` may begin with instead of an organization: pages in front of
 * sign-in, `-/account`, built files.
 */
export const RESERVED_SLUGS: readonly string[] = [
  '-',
  'assets',
  'invitation',
  'reset',
  'setup',
  'sign-in',
];
