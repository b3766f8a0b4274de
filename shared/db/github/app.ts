import type { Queryable } from '../pool.ts';

/** The GitHub App that was created in the dashboard. */
export interface GitHubAppRow {
  appId: string;
  /** Its keys and secrets, encrypted. */
  sealed: Buffer;
}

/** In place of the one before. */
export async function storeGitHubApp(db: Queryable, app: GitHubAppRow): Promise<void> {
  await db.query(
    `insert into github_app (app_id, sealed) values ($1, $2)
     on conflict (is_only) do update
       set app_id = excluded.app_id, sealed = excluded.sealed, created_at = now()`,
    [app.appId, app.sealed],
  );
}

export async function findGitHubApp(db: Queryable): Promise<GitHubAppRow | undefined> {
  const { rows } = await db.query<GitHubAppRow>('select app_id as "appId", sealed from github_app');
  return rows[0];
}
