import type { Queryable } from '../pool.ts';

interface ProjectRef {
  id: string;
  organizationId: string;
}

export interface OverviewDay {
  /** YYYY-MM-DD, UTC. */
  day: string;
  merged: number;
  minutesToPullRequest: number | null;
  questions: number;
  answered: number;
  costMicroUsd: number | null;
}

const DAY = (column: string) => `(${column} at time zone 'UTC')::date`;
/** The first moment of the first of $3 days, of which today is the last. */
const SINCE = `(date_trunc('day', now(), 'UTC') - make_interval(days => $3 - 1))`;
/** Pull requests of a project's jobs that were merged, with when. */
const MERGED = `
  select j.id, h.closed_at as at
    from jobs j join hosted_pull_requests h
      on h.host = j.host and h.repository = j.repository and h.number = j.pr_number
   where j.project_id = $1 and j.pr_number is not null and h.state = 'merged'
  union all
  select j.id, g.updated_at
    from jobs j join github_pull_requests g
      on g.repository = lower(j.repository) and g.number = j.pr_number
   where j.project_id = $1 and j.host = 'github' and j.pr_number is not null
     and g.state = 'merged'`;

/** What came of a project on each of the last `days` UTC days, oldest first. */
export async function readOverviewDays(
  db: Queryable,
  project: ProjectRef,
  days: number,
): Promise<OverviewDay[]> {
  const { rows } = await db.query<OverviewDay>(
    `with days as (
            select generate_series(${DAY(SINCE)}, ${DAY('now()')}, interval '1 day')::date as day),
          merged as (select ${DAY('at')} as day, count(*) as n from (${MERGED}) m
                      where at >= ${SINCE} group by 1),
          published as (
            select ${DAY('j.created_at')} as day,
                   percentile_cont(0.5) within group (
                     order by extract(epoch from first.at - j.created_at) / 60) as minutes
              from jobs j
              join lateral (select min(p.created_at) as at from publications p
                             where p.job_id = j.id and p.state = 'published') first
                on first.at is not null
             where j.project_id = $1 and j.created_at >= ${SINCE} group by 1),
          asked as (select ${DAY('created_at')} as day, count(*) as n,
                           count(*) filter (where answered) as answered
                      from questions where project_id = $1 and created_at >= ${SINCE} group by 1),
          calls as (select ${DAY('started_at')} as day, sum(cost_microusd)::bigint as cost
                      from model_calls
                     where organization_id = $2 and project_id = $1 and started_at >= ${SINCE}
                     group by 1)
     select to_char(day, 'YYYY-MM-DD') as day, coalesce(merged.n, 0) as merged,
            minutes as "minutesToPullRequest",
            coalesce(asked.n, 0) as questions, coalesce(answered, 0) as answered,
            case when calls.day is null then 0 else cost end as "costMicroUsd"
       from days left join merged using (day) left join published using (day)
            left join asked using (day) left join calls using (day)
      order by day`,
    [project.id, project.organizationId, days],
  );
  return rows;
}

export interface FirstSteps {
  indexed: boolean;
  job: boolean;
  merged: boolean;
  key: boolean;
  question: boolean;
  colleague: boolean;
}

/** What a new project has already had. */
export async function readFirstSteps(db: Queryable, project: ProjectRef): Promise<FirstSteps> {
  const { rows } = await db.query<FirstSteps>(
    `select exists (select from search_indexes where project_id = $1) as indexed,
            exists (select from jobs where project_id = $1) as job,
            exists (${MERGED}) as merged,
            exists (select from api_keys where project_id = $1 and not playground
                       and revoked_at is null) as key,
            exists (select from questions where project_id = $1) as question,
            (select count(*) > 1 from memberships where organization_id = $2) as colleague`,
    [project.id, project.organizationId],
  );
  return rows[0]!;
}
