import type { Cause, RunOutcome, RunState } from '../../shared/jobs/automation.ts';
import type { HostKind } from '../../shared/host-kind.ts';
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

export async function findRunByKey(
  db: Queryable,
  automationId: string,
  key: string,
): Promise<Run | undefined> {
  const { rows } = await db.query<Run>(
    `select ${COLUMNS} from automation_runs r where r.automation_id = $1 and r.key = $2`,
    [automationId, key],
  );
  return rows[0];
}

/** Those of an automation's pull requests that are among these of a repository. */
export async function ownPullRequests(
  db: Queryable,
  automationId: string,
  { host, repository, numbers }: { host: HostKind; repository: string; numbers: number[] },
): Promise<Set<number>> {
  const { rows } = await db.query<{ number: number }>(
    `select p.pr_number as number from publications p join jobs j on j.id = p.job_id
      where p.pr_number = any($4) and p.state = 'published'
        and j.host = $2 and lower(j.repository) = lower($3)
        and exists (select from automation_runs where automation_id = $1 and job_id = j.id)`,
    [automationId, host, repository, numbers],
  );
  return new Set(rows.map(({ number }) => number));
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

/** How many of the newest runs that had a turn, since it was resumed, have failed in a row. */
export async function failuresInARow(db: Queryable, automationId: string): Promise<number> {
  const { rows } = await db.query<{ outcome: RunOutcome }>(
    `select r.outcome from automations a join automation_runs r on r.automation_id = a.id
      where a.id = $1 and r.state = 'done' and r.outcome not in ('no_action', 'held_back')
        and (a.resumed_at is null or r.finished_at > a.resumed_at)
      order by r.finished_at desc limit 10`,
    [automationId],
  );
  const at = rows.findIndex(({ outcome }) => outcome !== 'failed');
  return at === -1 ? rows.length : at;
}

/**
 * How an instruction's turn ended; undefined while it has not. One that asked a person, or waits
 * for approval of its plan, ends with the turn of the answer.
 */
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
       join jobs j on j.id = i.job_id
       left join lateral (
         select e.data from job_events e
           left join lateral (
             select w.data ->> 'state' as state from job_events w
              where w.job_id = e.job_id and w.type = 'waiting'
                and w.data ->> 'turn' = e.data ->> 'turn'
              order by w.seq desc limit 1) w on true
          where e.job_id = i.job_id and e.type = 'finish'
            and (e.data ->> 'turn')::integer >= i.turn
            and (w.state is null or w.state = 'ended' or j.archived_at is not null)
          order by w.state is null or w.state = 'ended' desc, (e.data ->> 'turn')::integer,
                   e.seq desc
          limit 1) e on true
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
