import type { Cause, RunOutcome, RunState } from '../../shared/jobs/automation.ts';
import { newId } from '../../shared/ids.ts';
import type { Result } from '../../shared/jobs/result.ts';
import { jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';

export interface Run {
  id: string;
  automationId: string;
  cause: Cause;
  state: RunState;
  outcome: RunOutcome | null;
  reason: string | null;
  pages: string[];
  judged: boolean;
  jobId: string | null;
  messageId: string | null;
  baseCommit: string | null;
  prLink: string | null;
  prNumber: number | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

const COLUMNS = `r.id, r.automation_id as "automationId", r.cause, r.state, r.outcome, r.reason,
  r.pages, r.judged, r.job_id as "jobId", r.message_id as "messageId",
  r.base_commit as "baseCommit", r.pr_link as "prLink", r.pr_number as "prNumber",
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt"`;

/** Adds the run of a cause, or finds it: a cause has one run, however often it is reported. */
export async function addRun(
  db: Queryable,
  run: { automationId: string; key: string; cause: Cause; jobId?: string },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `with added as (
       insert into automation_runs (id, automation_id, key, cause, job_id)
       values ($1, $2, $3, $4, $5) on conflict (automation_id, key) do nothing returning id)
     select id from added
     union all select id from automation_runs where automation_id = $2 and key = $3
     limit 1`,
    [newId('run'), run.automationId, run.key, jsonText(run.cause), run.jobId ?? null],
  );
  // Another transaction added it between the two halves of the statement.
  return rows[0]?.id ?? (await addRun(db, run));
}

export async function findRun(db: Queryable, id: string): Promise<Run | undefined> {
  const { rows } = await db.query<Run>(`select ${COLUMNS} from automation_runs r where r.id = $1`, [
    id,
  ]);
  return rows[0];
}

/** Newest first. */
export async function listRuns(
  db: Queryable,
  automationId: string,
  page: { limit: number; after?: string },
): Promise<Run[]> {
  const { rows } = await db.query<Run>(
    `select ${COLUMNS} from automation_runs r
      where r.automation_id = $1
        and ($3::text is null or (r.created_at, r.id) <
             (select created_at, id from automation_runs where id = $3 and automation_id = $1))
      order by r.created_at desc, r.id desc limit $2`,
    [automationId, page.limit, page.after ?? null],
  );
  return rows;
}

/** The newest run of each. */
export async function newestRuns(
  db: Queryable,
  automationIds: readonly string[],
): Promise<Map<string, Run>> {
  const { rows } = await db.query<Run>(
    `select distinct on (r.automation_id) ${COLUMNS} from automation_runs r
      where r.automation_id = any($1) order by r.automation_id, r.created_at desc, r.id desc`,
    [automationIds],
  );
  return new Map(rows.map(run => [run.automationId, run]));
}

export type RunChange = Partial<
  Pick<
    Run,
    'state' | 'outcome' | 'reason' | 'pages' | 'judged' | 'jobId' | 'messageId' | 'baseCommit'
  > &
    Pick<Run, 'prLink' | 'prNumber'>
>;

/** Changes the members that are given; nothing of a run that is done. */
export async function changeRun(db: Queryable, id: string, change: RunChange): Promise<void> {
  await db.query(
    `update automation_runs r
        set state = coalesce(c.state, r.state),
            outcome = coalesce(c.outcome, r.outcome),
            reason = case when $2::jsonb ? 'reason' then c.reason else r.reason end,
            pages = coalesce(c.pages, r.pages), judged = coalesce(c.judged, r.judged),
            job_id = coalesce(c."jobId", r.job_id),
            message_id = case when $2 ? 'messageId' then c."messageId" else r.message_id end,
            base_commit = coalesce(c."baseCommit", r.base_commit),
            pr_link = coalesce(c."prLink", r.pr_link),
            pr_number = coalesce(c."prNumber", r.pr_number),
            started_at = case when c.state = 'running' then coalesce(r.started_at, now())
                              else r.started_at end,
            finished_at = case when c.state = 'done' then now() else r.finished_at end
       from jsonb_to_record($2::jsonb) as c (
              state text, outcome text, reason text, pages text[], judged boolean, "jobId" text,
              "messageId" text, "baseCommit" text, "prLink" text, "prNumber" integer)
      where r.id = $1 and r.state <> 'done'`,
    [id, jsonText(change)],
  );
}

/** An automation's runs that no workflow has looked at yet, oldest first. */
export async function unstartedRuns(db: Queryable, automationId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from automation_runs where automation_id = $1 and state = 'waiting'
      order by created_at, id limit 500`,
    [automationId],
  );
  return rows.map(({ id }) => id);
}

/** How many runs people have started within so many seconds. */
export async function handRunsSince(
  db: Queryable,
  automationId: string,
  seconds: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from automation_runs
      where automation_id = $1 and cause ->> 'kind' = 'hand'
        and created_at > now() - make_interval(secs => $2)`,
    [automationId, seconds],
  );
  return rows[0]!.count;
}

/** What the brakes of a project look at. */
export interface ProjectUse {
  /** Automations with an open pull request, as far as is known, or with a turn that may open one. */
  openPullRequests: string[];
  runsThisHour: number;
  /** Seconds until the oldest of them is an hour old. */
  freeInSeconds: number;
  costMicroUsd: number;
}

/** A pull request that nobody told about counts as open while its job is. */
const PR_STATE = `coalesce(
    (select p.state from hosted_pull_requests p
      where p.host = j.host and p.repository = j.repository and p.number = j.pr_number),
    (select p.state from github_pull_requests p
      where p.host = j.host and p.repository = lower(j.repository) and p.number = j.pr_number),
    case when j.archived_at is null then 'open' end)`;

export async function useOfProject(db: Queryable, projectId: string): Promise<ProjectUse> {
  const { rows } = await db.query<ProjectUse>(
    `with runs as (select r.* from automation_runs r join automations a on a.id = r.automation_id
                    where a.project_id = $1),
          started as (select started_at from runs where started_at > now() - interval '1 hour')
     select array(select a.id from automations a left join jobs j on j.id = a.job_id
                   where a.project_id = $1
                     and ((j.pr_number is not null and ${PR_STATE} = 'open')
                          or exists (select from runs r where r.automation_id = a.id
                                                          and r.state = 'running')))
              as "openPullRequests",
            (select count(*)::int from started) as "runsThisHour",
            coalesce((select ceil(extract(epoch from
               min(started_at) + interval '1 hour' - now())) from started), 0)::int
              as "freeInSeconds",
            (select coalesce(sum(cost_microusd), 0)::bigint from model_calls
              where project_id = $1 and started_at >= date_trunc('month', now(), 'UTC')
                and job_id in (select distinct job_id from runs where job_id is not null))
              as "costMicroUsd"`,
    [projectId],
  );
  return rows[0]!;
}

/** How many of the newest runs of an automation that had a turn have failed in a row. */
export async function failuresInARow(db: Queryable, automationId: string): Promise<number> {
  const { rows } = await db.query<{ outcome: RunOutcome }>(
    `select outcome from automation_runs
      where automation_id = $1 and state = 'done' and outcome not in ('no_action', 'held_back')
      order by finished_at desc limit 10`,
    [automationId],
  );
  const at = rows.findIndex(({ outcome }) => outcome !== 'failed');
  return at === -1 ? rows.length : at;
}

/** How an instruction's turn ended; undefined while it has not. */
export async function turnOfMessage(
  db: Queryable,
  jobId: string,
  messageId: string,
): Promise<{ result: Result; sentence: string } | undefined> {
  const { rows } = await db.query<{ result: Result; sentence: string }>(
    `select case when i.state = 'dropped' then 'cancelled'
                 else coalesce(e.data ->> 'outcome', 'answered') end as result,
            coalesce(e.data ->> 'messageToUser', '') as sentence
       from instructions i
       left join lateral (
         select data from job_events e
          where e.job_id = i.job_id and e.type = 'finish' and (e.data ->> 'turn')::integer = i.turn
          order by seq desc limit 1) e on true
      where i.job_id = $1 and i.message_id = $2
        and (i.state in ('dropped', 'withdrawn') or e.data is not null)`,
    [jobId, messageId],
  );
  return rows[0];
}

/** Changes that runs have brought to a pull request, oldest first. */
export async function changesInPullRequest(
  db: Queryable,
  automationId: string,
  prNumber: number,
): Promise<Run[]> {
  const { rows } = await db.query<Run>(
    `select ${COLUMNS} from automation_runs r
      where r.automation_id = $1 and r.pr_number = $2 and r.cause ->> 'kind' = 'change'
      order by r.finished_at, r.id`,
    [automationId, prNumber],
  );
  return rows;
}

/** The last run that had a turn, before this one. */
export async function runBefore(
  db: Queryable,
  automationId: string,
  id: string,
): Promise<Run | undefined> {
  const { rows } = await db.query<Run>(
    `select ${COLUMNS} from automation_runs r
      where r.automation_id = $1 and r.id <> $2 and r.started_at is not null
      order by r.started_at desc limit 1`,
    [automationId, id],
  );
  return rows[0];
}
