import type { Queryable } from './pool.ts';

/** What waits and what is late, over all organizations. */
export interface StateOfWork {
  jobs: { starting: number; active: number };
  /** Seconds that the oldest waiting instruction waits; 0 if none does. */
  longestWait: number;
  /** Seconds since each site was last read, and whether the newest attempt failed. */
  indexes: { domain: string; seconds: number; failed: boolean }[];
}

export async function readStateOfWork(db: Queryable): Promise<StateOfWork> {
  const [jobs, waits, indexes] = await Promise.all([
    db.query<{ starting: number; active: number }>(
      `select count(*) filter (where state = 'starting')::int as starting,
              count(*) filter (where state = 'active')::int as active
         from jobs where state in ('starting', 'active')`,
    ),
    db.query<{ seconds: number | null }>(
      `select extract(epoch from now() - min(i.created_at))::float as seconds
         from instructions i join jobs j on j.id = i.job_id
        where i.state = 'waiting' and j.state in ('starting', 'active')`,
    ),
    db.query<{ domain: string; seconds: number; failed: boolean }>(
      `select p.domain, coalesce(r.failure is not null, false) as failed,
              extract(epoch from now() -
                greatest(i.built_at, case when r.failure is null then r.finished_at end)
              )::float as seconds
         from search_indexes i join projects p on p.id = i.project_id
         left join index_runs r on r.project_id = p.id`,
    ),
  ]);
  return {
    jobs: jobs.rows[0]!,
    longestWait: waits.rows[0]?.seconds ?? 0,
    indexes: indexes.rows,
  };
}

/** Jobs that are running, or about to begin. */
export async function countActiveJobs(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ jobs: number }>(
    "select count(*)::int as jobs from jobs where state in ('starting', 'active')",
  );
  return rows[0]!.jobs;
}
