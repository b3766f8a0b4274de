import { PR_STATE } from '../automations/project-use.ts';
import { jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';
import { STATE } from './question-groups.ts';

/** A group of questions that a job is to answer, by the wording that it is asked in again. */
export interface Gap {
  groupId: string;
  question: string;
}

export interface CitedPage {
  url: string;
  title: string;
}

/**
 * Notes the questions that a job is made of. One that it had before begins again; what was merged by
 * now does not answer it.
 */
export async function noteGaps(db: Queryable, jobId: string, gaps: readonly Gap[]): Promise<void> {
  if (gaps.length === 0) return;
  await db.query(
    `insert into gaps (job_id, group_id, question, pr_number)
     select $1, q.group_id, q.question,
            (select j.pr_number from jobs j where j.id = $1 and ${PR_STATE} <> 'open')
       from unnest($2::text[], $3::text[]) as q (group_id, question)
     on conflict (job_id, group_id) do update
        set question = excluded.question, pr_number = excluded.pr_number, merged_at = null,
            asked_at = null, answered = false, sources = '[]', follow_ups = 0, told_at = null,
            created_at = now()`,
    [jobId, gaps.map(({ groupId }) => groupId), gaps.map(({ question }) => question)],
  );
}

/**
 * Questions that the docs do not answer and that no job works on, those asked most first. Those that
 * were asked again in vain come back when a reader asks.
 */
export async function unansweredGaps(
  db: Queryable,
  projectId: string,
  limit: number,
): Promise<Gap[]> {
  const { rows } = await db.query<Gap>(
    `select g.id as "groupId", q.question
       from question_groups g join questions q on q.id = g.newest_id
      where g.project_id = $1 and g.asked > 0 and not g.newest_answered and ${STATE} = 'open'
        and not exists (
          select from gaps x join jobs j on j.id = x.job_id
           where x.group_id = g.id
             and (x.asked_at > g.newest_at
                  or x.asked_at is null and j.archived_at is null and j.state <> 'failed'))
      order by g.asked desc, g.newest_at desc, g.id desc limit $2`,
    [projectId, limit],
  );
  return rows;
}

/**
 * Pull requests that are open as far as is known, of jobs that wait for their end: it lets questions
 * be asked again, and is what the brakes count of prepared docs.
 */
export async function awaitedPullRequests(
  db: Queryable,
  host: string,
): Promise<{ repository: string; number: number }[]> {
  const { rows } = await db.query<{ repository: string; number: number }>(
    `select distinct j.repository, j.pr_number as number
       from (select job_id, pr_number from gaps where not answered
             union all select job_id, null from preparations) waits
       join jobs j on j.id = waits.job_id
      where j.host = $1 and j.pr_number is distinct from waits.pr_number
        and j.pr_number is not null and j.archived_at is null and ${PR_STATE} = 'open'`,
    [host],
  );
  return rows;
}

/** Unanswered questions of idle jobs are to be asked after each of their merges. */
export async function noteGapsMerged(db: Queryable): Promise<void> {
  await db.query(
    `update gaps g set pr_number = j.pr_number, merged_at = now(), due_at = now(), asked_at = null
       from jobs j
      where j.id = g.job_id and not g.answered and j.state in ('completed', 'failed')
        and j.pr_number is not null and j.pr_number is distinct from g.pr_number
        and ${PR_STATE} = 'merged'`,
  );
}

export interface DueGap {
  id: string;
  groupId: string | null;
  question: string;
  projectId: string;
  domain: string;
  /** `read`: an index that began after the merge has ended; `none`: none has begun. */
  index: 'none' | 'running' | 'read';
}

/** Questions that wait for the index, or to be asked. */
export async function dueGaps(db: Queryable, limit: number): Promise<DueGap[]> {
  const { rows } = await db.query<DueGap>(
    `select g.id, g.group_id as "groupId", g.question, p.id as "projectId", p.domain,
            case when r.started_at is null or r.started_at <= g.merged_at then 'none'
                 when r.finished_at is null or r.failure is not null then 'running'
                 else 'read' end as index
       from gaps g join jobs j on j.id = g.job_id
       join projects p on p.id = j.project_id and p.deleted_at is null
       left join index_runs r on r.project_id = p.id
      where not g.answered and g.merged_at is not null and g.asked_at is null and g.due_at <= now()
      order by g.due_at, g.id limit $1`,
    [limit],
  );
  return rows;
}

/** Nothing of a project is asked for so long. */
export async function putOffGaps(db: Queryable, projectId: string, seconds: number): Promise<void> {
  await db.query(
    `update gaps g set due_at = now() + make_interval(secs => $2) from jobs j
      where j.id = g.job_id and j.project_id = $1 and g.merged_at is not null
        and g.asked_at is null`,
    [projectId, seconds],
  );
}

/**
 * Notes what came of a question, once; `page`: the site path of the first page that answers it,
 * which resolves the group unless a person has closed it.
 */
export async function noteGapAsked(
  db: Queryable,
  id: string,
  sources: readonly CitedPage[],
  page: string | undefined,
): Promise<void> {
  await db.query(
    `with asked as (
       update gaps set asked_at = now(), answered = $3::text is not null, sources = $2
        where id = $1 and asked_at is null returning group_id)
     update question_groups g set closed_at = now(), page = $3 from asked
      where g.id = asked.group_id and $3 is not null and ${STATE} = 'open'`,
    [id, jsonText(sources), page ?? null],
  );
}

export interface UnansweredJob {
  jobId: string;
  projectId: string;
  organizationId: string;
  prNumber: number;
  requirePlanApproval: boolean;
  questions: string[];
}

/** Jobs that are to get a follow-up with what is still unanswered: all of theirs were asked. */
export async function unansweredJobs(db: Queryable, mostTold: number): Promise<UnansweredJob[]> {
  const { rows } = await db.query<UnansweredJob>(
    `select j.id as "jobId", j.project_id as "projectId", j.organization_id as "organizationId",
            g.pr_number as "prNumber",
            coalesce(p.settings -> 'requirePlanApproval' = 'true', false) as "requirePlanApproval",
            array_agg(g.question order by g.id) as questions
       from gaps g join jobs j on j.id = g.job_id
       join projects p on p.id = j.project_id and p.deleted_at is null
      where not g.answered and g.asked_at > coalesce(g.told_at, '-infinity') and g.follow_ups < $1
        and j.archived_at is null and j.state in ('completed', 'failed') and j.waiting_for is null
        and not exists (select from gaps o where o.job_id = g.job_id and not o.answered
                           and o.merged_at is not null and o.asked_at is null)
      group by j.id, p.id, g.pr_number`,
    [mostTold],
  );
  return rows;
}

export async function noteGapsTold(
  db: Queryable,
  { jobId, prNumber }: UnansweredJob,
): Promise<void> {
  await db.query(
    `update gaps set follow_ups = follow_ups + 1, told_at = now()
      where job_id = $1 and pr_number = $2 and not answered and asked_at is not null`,
    [jobId, prNumber],
  );
}

export interface GapOfJob {
  question: string;
  answered: boolean;
  sources: CitedPage[];
  askedAt: Date | null;
}

export async function gapsOfJob(db: Queryable, jobId: string): Promise<GapOfJob[]> {
  const { rows } = await db.query<GapOfJob>(
    `select question, answered, sources, asked_at as "askedAt" from gaps
      where job_id = $1 order by id`,
    [jobId],
  );
  return rows;
}
