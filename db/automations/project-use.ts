import { type Pool, type Queryable, transaction } from '../pool.ts';

/** What the brakes of a project look at. */
export interface ProjectUse {
  /**
   * Automations and preparations with an open pull request, as far as is known, and automations
   * with a turn that may open one.
   */
  openPullRequests: string[];
  runsThisHour: number;
  /** Seconds until the oldest of them is an hour old. */
  freeInSeconds: number;
  costMicroUsd: number;
}

/** A pull request that nobody told about counts as open while its job is. */
export const PR_STATE = `coalesce(
    (select p.state from hosted_pull_requests p
      where p.host = j.host and p.repository = j.repository and p.number = j.pr_number),
    (select p.state from github_pull_requests p
      where p.host = j.host and p.repository = lower(j.repository) and p.number = j.pr_number),
    case when j.archived_at is null then 'open' end)`;

/** Whether a run `r` is a turn of the preparation `p`, whose job is its own. */
const IS_ABOUT = `p.state = 'open'
  and p.number = (r.cause -> 'change' ->> 'number')::int
  and p.repository = lower(r.cause -> 'change' ->> 'repository')`;
const PREPARATION = `select from preparations p where p.automation_id = r.automation_id and ${IS_ABOUT}`;

/**
 * The check of changes is paid for with the standing job, before it has a turn; jobs that stood
 * before are those of the month's runs.
 */
export async function useOfProject(db: Queryable, projectId: string): Promise<ProjectUse> {
  const { rows } = await db.query<ProjectUse>(
    `with started as (
       select r.started_at from automations a join automation_runs r on r.automation_id = a.id
        where a.project_id = $1 and r.started_at > now() - interval '1 hour')
     select array(select a.id from automations a left join jobs j on j.id = a.job_id
                   where a.project_id = $1
                     and ((j.pr_number is not null and ${PR_STATE} = 'open')
                          or exists (select from automation_runs r
                                     where r.automation_id = a.id and r.state = 'running'
                                       and not exists (${PREPARATION})))
                  union
                  select p.id from automations a
                    join preparations p on p.automation_id = a.id
                    left join jobs j on j.id = p.job_id
                   where a.project_id = $1
                     and ((j.pr_number is not null and ${PR_STATE} = 'open')
                          or exists (select from automation_runs r
                                     where r.automation_id = a.id and r.state = 'running'
                                       and ${IS_ABOUT})))
              as "openPullRequests",
            (select count(*)::int from started) as "runsThisHour",
            coalesce((select ceil(extract(epoch from
               min(started_at) + interval '1 hour' - now())) from started), 0)::int
              as "freeInSeconds",
            (select coalesce(sum(cost_microusd), 0)::bigint from model_calls
              where project_id = $1 and started_at >= date_trunc('month', now(), 'UTC')
                and job_id in (
                  select job_id from automations where project_id = $1
                  union
                  select r.job_id from automations a join automation_runs r on r.automation_id = a.id
                   where a.project_id = $1 and r.started_at >= date_trunc('month', now(), 'UTC')))
              as "costMicroUsd"`,
    [projectId],
  );
  return rows[0]!;
}

/**
 * Takes one of the checks that a project's runs have within an hour; a run takes one, however often
 * it comes. Null: taken. Otherwise the seconds until one is free.
 */
export function takeCheck(
  pool: Pool,
  { runId, projectId, most }: { runId: string; projectId: string; most: number },
): Promise<number | null> {
  return transaction(pool, async tx => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `checks of ${projectId}`,
    ]);
    const { rows } = await tx.query<{ free: number | null }>(
      `with taken as (
         select r.id, r.checked_at from automations a join automation_runs r on r.automation_id = a.id
          where a.project_id = $2 and r.checked_at > now() - interval '1 hour'),
       marked as (
         update automation_runs set checked_at = coalesce(checked_at, now())
          where id = $1 and (checked_at is not null or (select count(*) from taken) < $3)
          returning id)
       select case when not exists (select from marked) then
                greatest(1, ceil(extract(epoch from
                  min(checked_at) + interval '1 hour' - now())))::int end as free
         from taken`,
      [runId, projectId, most],
    );
    return rows[0]!.free;
  });
}
