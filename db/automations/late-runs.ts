import type { Queryable } from '../pool.ts';

/** Runs of all projects that have waited so long. */
export async function runsToStart(
  db: Queryable,
  olderThanSeconds: number,
): Promise<{ id: string; projectId: string; summary: string }[]> {
  const { rows } = await db.query<{ id: string; projectId: string; summary: string }>(
    `select r.id, p.id as "projectId", p.domain || ': ' || a.name as summary
       from automation_runs r join automations a on a.id = r.automation_id
       join projects p on p.id = a.project_id and p.deleted_at is null
      where r.state = 'waiting' and r.created_at < now() - make_interval(secs => $1)
      order by r.created_at limit 500`,
    [olderThanSeconds],
  );
  return rows;
}

/** Some that were held back or run, so long after they were added, with their workflows' ids. */
export async function unfinishedRuns(
  db: Queryable,
  olderThanSeconds: number,
): Promise<{ id: string; workflowId: string }[]> {
  const { rows } = await db.query<{ id: string; workflowId: string }>(
    `select id, case when cause ->> 'kind' = 'schedule' then key else 'automation-' || id end
              as "workflowId"
       from automation_runs
      where state in ('held_back', 'running') and created_at < now() - make_interval(secs => $1)
      order by random() limit 20`,
    [olderThanSeconds],
  );
  return rows;
}

/**
 * Deletes some that ended so long ago; how many. What keeps a cause from having a second run stays:
 * a change that the next look at its repository lists again, and the newest run of each kind.
 */
export async function deleteOldRuns(db: Queryable, days: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from automation_runs where id = any(array(
       select r.id from automation_runs r join automations a on a.id = r.automation_id
        where r.state = 'done' and r.finished_at < now() - make_interval(days => $1)
          and (r.cause -> 'change' ->> 'at' is null
               or (r.cause -> 'change' ->> 'at')::timestamptz < a.seen_at)
          and exists (select from automation_runs n
                       where n.automation_id = r.automation_id and n.created_at > r.created_at
                         and n.cause ->> 'kind' = r.cause ->> 'kind')
        order by r.finished_at limit $2))`,
    [days, limit],
  );
  return rowCount ?? 0;
}
