import type { Queryable } from '../pool.ts';

/** The GitHub App that was created in the dashboard. */
export interface GitHubAppRow {
  appId: string;
  /** Its keys and secrets, encrypted. */
  sealed: Buffer;
  createdAt: Date;
}

/** False if there is one: it may be the only way to the repositories of projects. */
export async function storeGitHubApp(
  db: Queryable,
  { appId, sealed }: Pick<GitHubAppRow, 'appId' | 'sealed'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into github_app (app_id, sealed) values ($1, $2) on conflict do nothing',
    [appId, sealed],
  );
  return rowCount === 1;
}

export async function findGitHubApp(db: Queryable): Promise<GitHubAppRow | undefined> {
  const { rows } = await db.query<GitHubAppRow>(
    'select app_id as "appId", sealed, created_at as "createdAt" from github_app',
  );
  return rows[0];
}

/** False: the one that is stored is another, or there is none. */
export async function deleteGitHubApp(db: Queryable, appId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from github_app where app_id = $1', [appId]);
  return rowCount === 1;
}
