import type { Queryable } from '../pool.ts';

/**
 * Jobs of deleted projects, and jobs archived more than `retentionDays` ago (null: these are kept),
 * oldest first; without `except`.
 */
export async function findRemovableJobs(
  db: Queryable,
  retentionDays: number | null,
  limit: number,
  except: string[] = [],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select j.id from jobs j join projects p on p.id = j.project_id
      where (p.deleted_at is not null or j.archived_at < now() - $1 * interval '1 day')
        and j.id <> all($3)
      order by j.created_at limit $2`,
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

/** Deletes the deleted projects that have no job left, with keys, index, threads and questions. */
export async function deleteEmptyProjects(db: Queryable): Promise<void> {
  await db.query(
    `delete from projects p
      where deleted_at is not null and not exists (select from jobs j where j.project_id = p.id)`,
  );
}
