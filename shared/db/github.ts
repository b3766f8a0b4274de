import type { Queryable } from './pool.ts';

export interface GitHubInstallation {
  id: number;
  organizationId: string;
  account: string;
  createdAt: Date;
}

/** Gives an installation to an organization. False where another one has it. */
export async function claimInstallation(db: Queryable, installation: Pick<GitHubInstallation, 'id' | 'organizationId' | 'account'>): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into github_installations (id, organization_id, account) values ($1, $2, $3)
     on conflict (id) do update set account = excluded.account where github_installations.organization_id = excluded.organization_id`,
    [installation.id, installation.organizationId, installation.account],
  );
  return rowCount === 1;
}

/** False where the organization has no such installation. */
export async function releaseInstallation(db: Queryable, organizationId: string, id: number): Promise<boolean> {
  const { rowCount } = await db.query('delete from github_installations where id = $1 and organization_id = $2', [id, organizationId]);
  return rowCount === 1;
}

export async function listInstallations(db: Queryable, organizationId: string): Promise<GitHubInstallation[]> {
  const { rows } = await db.query<GitHubInstallation>(
    'select id, organization_id as "organizationId", account, created_at as "createdAt" from github_installations where organization_id = $1 order by id',
    [organizationId],
  );
  return rows;
}

/** Whom an installation belongs to (null: nobody), and which organizations' projects name the repository. */
export async function installationUse(db: Queryable, installationId: number, repository: string): Promise<{ owner: string | null; users: string[] }> {
  const { rows } = await db.query<{ owner: string | null; users: string[] }>(
    `select (select organization_id from github_installations where id = $1) as owner,
            array(select distinct organization_id from projects
                   where host = 'github' and lower(repository) = lower($2) and deleted_at is null) as users`,
    [installationId, repository],
  );
  return rows[0]!;
}

export async function countOrganizations(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) from organizations');
  return rows[0]!.count;
}

/** Every project on GitHub, oldest first. */
export async function listProjectsOnGitHub(db: Queryable): Promise<{ repository: string; baseRef: string; docsFolder: string }[]> {
  const { rows } = await db.query<{ repository: string; baseRef: string; docsFolder: string }>(
    `select repository, base_ref as "baseRef", docs_folder as "docsFolder" from projects where host = 'github' and deleted_at is null order by created_at, id`,
  );
  return rows;
}
