import type { HostKind } from '../../shared/host-kind.ts';
import type { Queryable } from '../pool.ts';

export interface LocalRepositoryRow {
  name: string;
  default_branch: string;
  public: boolean;
  archived: boolean;
  protected: string[];
}

/** False if a repository of that name (case aside) exists. */
export async function insertRepository(
  db: Queryable,
  repository: { name: string; defaultBranch: string; public: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into local_repositories (name, default_branch, public) values ($1, $2, $3)
     on conflict do nothing`,
    [repository.name, repository.defaultBranch, repository.public],
  );
  return rowCount === 1;
}

export async function findRepository(
  db: Queryable,
  name: string,
): Promise<LocalRepositoryRow | undefined> {
  const { rows } = await db.query<LocalRepositoryRow>({
    name: 'find-local-repository',
    text: 'select * from local_repositories where name = $1',
    values: [name],
  });
  return rows[0];
}

/**
 * Those that an organization's projects may use: its projects' own; all of them if it is the only
 * organization. `only`: of these, the one with that name.
 */
export async function listOrganizationRepositories(
  db: Queryable,
  kind: HostKind,
  organizationId: string,
  only?: string,
): Promise<LocalRepositoryRow[]> {
  const { rows } = await db.query<LocalRepositoryRow>(
    `select r.* from local_repositories r
      where ($3::text is null or r.name = $3)
        and (not exists (select 1 from organizations where id <> $1)
             or exists (select 1 from projects p
                         where p.organization_id = $1 and p.host = $2 and p.repository = r.name))
      order by r.name`,
    [organizationId, kind, only ?? null],
  );
  return rows;
}

export async function listRepositoryNames(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    'select name from local_repositories order by name',
  );
  return rows.map(({ name }) => name);
}

export async function updateRepository(
  db: Queryable,
  name: string,
  change: { public?: boolean; archived?: boolean; protected?: string[] },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update local_repositories
        set public = coalesce($2, public), archived = coalesce($3, archived),
            protected = coalesce($4, protected)
      where name = $1`,
    [name, change.public ?? null, change.archived ?? null, change.protected ?? null],
  );
  return rowCount === 1;
}

export async function removeRepository(db: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from local_repositories where name = $1', [name]);
  return rowCount === 1;
}
