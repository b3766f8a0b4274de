import type { Queryable } from '../pool.ts';

/**
 * Jobs of deleted projects, jobs archived more than `retentionDays` ago (null: these are kept), and
 * jobs that were given up a day ago, which nobody can see, oldest first; without `except`.
 */
export async function findRemovableJobs(
  db: Queryable,
  retentionDays: number | null,
  limit: number,
  except: string[] = [],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    // An index for each: most jobs are none of them.
    `select id from (
       (select j.id, j.created_at from projects p join jobs j on j.project_id = p.id
         where p.deleted_at is not null and j.id <> all($3)
         order by j.created_at limit $2)
       union
       (select id, created_at from jobs
         where archived_at < now() - $1 * interval '1 day' and id <> all($3)
         order by archived_at limit $2)
       union
       (select id, created_at from jobs
         where state = 'given_up' and created_at < now() - interval '1 day'
           and updated_at < now() - interval '1 day' and id <> all($3)
         order by created_at limit $2)) removable
      order by created_at limit $2`,
    [retentionDays, limit, except],
  );
  return rows.map(row => row.id);
}

/**
 * Deletes a job with its conversation, workspace, events and records. What its model calls cost
 * stays in the ledger, and so do branches and pull requests.
 */
export async function deleteJob(db: Queryable, jobId: string): Promise<void> {
  await db.query('delete from jobs where id = $1', [jobId]);
}

/**
 * Deletes up to `limit` pages of the index, threads and questions each of deleted projects, which
 * may have millions of rows. How many it were.
 */
export async function deleteContentOfDeletedProjects(
  db: Queryable,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `with gone as (select id from projects where deleted_at is not null),
          pages as (
            delete from search_pages where id in (
              select c.id from gone cross join lateral (
                select id from search_pages where project_id = gone.id limit $1) c limit $1)
            returning 1),
          conversations as (
            delete from threads where id in (
              select c.id from gone cross join lateral (
                select id from threads where project_id = gone.id limit $1) c limit $1)
            returning 1),
          asked as (
            delete from questions where id in (
              select c.id from gone cross join lateral (
                select id from questions where project_id = gone.id limit $1) c limit $1)
            returning 1)
     select (select count(*) from pages) + (select count(*) from conversations)
              + (select count(*) from asked) as n`,
    [limit],
  );
  return rows[0]?.n ?? 0;
}

/** Deletes the deleted projects that have no job left, with keys and all that is left of them. */
export async function deleteEmptyProjects(db: Queryable): Promise<void> {
  await db.query(
    `delete from projects p
      where deleted_at is not null
        and (select true from jobs j where j.project_id = p.id limit 1) is null`,
  );
}
