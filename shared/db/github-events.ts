import type { Queryable } from './pool.ts';
import type { IndexedProject } from '../index-requests.ts';

/** Takes a delivery, and forgets those that GitHub no longer repeats. False where it was taken before. */
export async function takeDelivery(db: Queryable, id: string): Promise<boolean> {
  await db.query("delete from github_deliveries where received_at < now() - interval '30 days'");
  const { rowCount } = await db.query('insert into github_deliveries (id) values ($1) on conflict do nothing', [id]);
  return rowCount === 1;
}

/** Gives a delivery back whose work failed, so that a repeat is taken. */
export async function returnDelivery(db: Queryable, id: string): Promise<void> {
  await db.query('delete from github_deliveries where id = $1', [id]);
}

/** The projects whose sites are built from a branch on GitHub, where names know no case. */
export async function projectsOnGitHub(db: Queryable, repository: string, branch: string): Promise<IndexedProject[]> {
  const { rows } = await db.query<IndexedProject>(
    "select id, domain from projects where host = 'github' and lower(repository) = lower($1) and base_ref = $2 and deleted_at is null",
    [repository, branch],
  );
  return rows;
}

/** Notes what became of a pull request; news that is older than what is known (deliveries overtake each other) changes nothing. */
export async function notePullRequest(db: Queryable, news: { repository: string; number: number; state: 'open' | 'merged' | 'closed'; at: string }): Promise<void> {
  await db.query(
    `insert into github_pull_requests (repository, number, state, updated_at) values (lower($1), $2, $3, $4)
     on conflict (repository, number) do update set state = excluded.state, updated_at = excluded.updated_at
       where github_pull_requests.updated_at <= excluded.updated_at`,
    [news.repository, news.number, news.state, news.at],
  );
}

export interface CommentedJob {
  jobId: string;
  projectId: string;
  organizationId: string;
  /** As the project names it. */
  repository: string;
}

/** The job whose newest pull request this is. */
export async function jobOfPullRequest(db: Queryable, repository: string, number: number): Promise<CommentedJob | undefined> {
  const { rows } = await db.query<CommentedJob>(
    `select j.id as "jobId", j.project_id as "projectId", j.organization_id as "organizationId", j.repository
       from jobs j join projects p on p.id = j.project_id
      where j.host = 'github' and lower(j.repository) = lower($1) and j.pr_number = $2 and j.archived_at is null and p.deleted_at is null
      order by j.created_at desc limit 1`,
    [repository, number],
  );
  return rows[0];
}
