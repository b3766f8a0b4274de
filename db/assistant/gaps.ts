import { PR_STATE } from '../automations/project-use.ts';
import { jsonText } from '../json.ts';
import type { Queryable, Transaction } from '../pool.ts';
import { STATE } from './question-groups.ts';

/** A question that a job is to answer, in the words of the newest of its group. */
export interface Gap {
  questionId: string;
  question: string;
}

export interface CitedPage {
  url: string;
  title: string;
}

/**
 * Notes the questions that a job is made of. One whose likes it had before begins again; what was
 * merged by now does not answer it.
 */
export async function noteGaps(
  tx: Transaction,
  jobId: string,
  gaps: readonly Gap[],
): Promise<void> {
  if (gaps.length === 0) return;
  const ids = gaps.map(({ questionId }) => questionId);
  await tx.query(
    `delete from gaps where job_id = $1 and question_id in (
       select o.id from questions q join questions o on o.id = q.id or o.group_id = q.group_id
        where q.id = any($2))`,
    [jobId, ids],
  );
  await tx.query(
    `insert into gaps (job_id, question_id, pr_number)
     select $1, q.id,
            (select j.pr_number from jobs j where j.id = $1 and ${PR_STATE} <> 'open')
       from questions q where q.id = any($2)`,
    [jobId, ids],
  );
}

/** Whether a job may still answer its question `x`, by its pull request or after its merge. */
const IS_WORKED_ON = `x.asked_at is null
  and (j.state not in ('completed', 'failed') or j.waiting_for is not null
       or x.merged_at is not null
       or j.pr_number is distinct from x.pr_number and ${PR_STATE} in ('open', 'merged'))`;

/**
 * Questions that the docs do not answer and that no job works on, those asked most first. Those that
 * a job was given in vain come back when a reader asks.
 */
export async function unansweredGaps(
  db: Queryable,
  projectId: string,
  limit: number,
): Promise<Gap[]> {
  const { rows } = await db.query<Gap>(
    `select q.id as "questionId", q.question
       from question_groups g join questions q on q.id = g.newest_id
      where g.project_id = $1 and g.asked > 0 and not g.newest_answered and ${STATE} = 'open'
        and not exists (
          select from questions o join gaps x on x.question_id = o.id join jobs j on j.id = x.job_id
           where o.group_id = g.id
             and (greatest(x.created_at, x.asked_at) > g.newest_at or ${IS_WORKED_ON}))
      order by g.asked desc, g.newest_at desc, g.id desc limit $2`,
    [projectId, limit],
  );
  return rows;
}

/**
 * Some of the pull requests that are open as far as is known, of jobs that wait for their end: it
 * lets questions be asked again, and is what the brakes count of prepared docs. Others each time.
 */
export async function awaitedPullRequests(
  db: Queryable,
  host: string,
  limit: number,
): Promise<{ repository: string; number: number }[]> {
  const { rows } = await db.query<{ repository: string; number: number }>(
    `select j.repository, j.pr_number as number
       from (select job_id, pr_number from gaps where not answered
             union all select job_id, null from preparations) waits
       join jobs j on j.id = waits.job_id
      where j.host = $1 and j.pr_number is distinct from waits.pr_number
        and j.pr_number is not null and j.archived_at is null and ${PR_STATE} = 'open'
      group by 1, 2 order by random() limit $2`,
    [host, limit],
  );
  return rows;
}

/** Unanswered questions of idle jobs are to be asked after each of their merges. */
export async function noteGapsMerged(db: Queryable): Promise<void> {
  await db.query(
    `update gaps g set pr_number = j.pr_number, merged_at = now(), due_at = now(), asked_at = null,
            attempts = 0
       from jobs j
      where j.id = g.job_id and not g.answered and j.state in ('completed', 'failed')
        and j.pr_number is not null and j.pr_number is distinct from g.pr_number
        and ${PR_STATE} = 'merged'`,
  );
}

export interface DueGap {
  id: string;
  question: string;
  projectId: string;
  domain: string;
  /** The one that began after the merge; `none`: none has. */
  index: 'none' | 'running' | 'failed' | 'read';
}

/** Questions that wait for the index, or to be asked: `each` of a project at most. */
export async function dueGaps(db: Queryable, limit: number, each: number): Promise<DueGap[]> {
  const { rows } = await db.query<DueGap>(
    `select due.id, due.question, due."projectId", due.domain, due.index
       from (select g.id, q.question, p.id as "projectId", p.domain, g.due_at,
                    row_number() over (partition by p.id order by g.due_at, g.id) as nth,
                    case when r.started_at is null or r.started_at <= g.merged_at then 'none'
                         when r.finished_at is null then 'running'
                         when r.failure is not null then 'failed'
                         else 'read' end as index
               from gaps g join questions q on q.id = g.question_id join jobs j on j.id = g.job_id
               join projects p on p.id = j.project_id and p.deleted_at is null
               left join index_runs r on r.project_id = p.id
              where not g.answered and g.merged_at is not null and g.asked_at is null
                and g.due_at <= now()) due
      where due.nth <= $2
      order by due.due_at, due.id limit $1`,
    [limit, each],
  );
  return rows;
}

/** Nothing of a project is asked for so long. */
export async function putOffProject(
  db: Queryable,
  projectId: string,
  seconds: number,
): Promise<void> {
  await db.query(
    `update gaps g set due_at = now() + make_interval(secs => $2) from jobs j
      where j.id = g.job_id and j.project_id = $1 and g.merged_at is not null
        and g.asked_at is null`,
    [projectId, seconds],
  );
}

/**
 * A question without a whole answer is asked again after so long; how many attempts it had, with
 * `counted` more.
 */
export async function putOffGap(
  db: Queryable,
  id: string,
  seconds: number,
  counted: 0 | 1,
): Promise<number> {
  const { rows } = await db.query<{ attempts: number }>(
    `update gaps set due_at = now() + make_interval(secs => $2), attempts = attempts + $3
      where id = $1 returning attempts`,
    [id, seconds, counted],
  );
  return rows[0]?.attempts ?? 0;
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
        where id = $1 and asked_at is null returning question_id)
     update question_groups g set closed_at = now(), page = $3
       from asked join questions q on q.id = asked.question_id
      where g.id = q.group_id and $3 is not null and ${STATE} = 'open'`,
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
  /** Whose standing job it is. */
  automationId: string | null;
}

/**
 * Jobs that are to get a follow-up with what is still unanswered: all of theirs were asked. Not
 * those of an automation that is paused, or whose file is gone or cannot be used.
 */
export async function unansweredJobs(db: Queryable, mostTold: number): Promise<UnansweredJob[]> {
  const { rows } = await db.query<UnansweredJob>(
    `select j.id as "jobId", j.project_id as "projectId", j.organization_id as "organizationId",
            g.pr_number as "prNumber",
            coalesce((a.definition ->> 'requirePlanApproval')::boolean,
                     p.settings -> 'requirePlanApproval' = 'true', false) as "requirePlanApproval",
            array_agg(q.question order by g.id) as questions, a.id as "automationId"
       from gaps g join questions q on q.id = g.question_id join jobs j on j.id = g.job_id
       left join automations a on a.job_id = j.id
       join projects p on p.id = j.project_id and p.deleted_at is null
      where not g.answered and g.asked_at > coalesce(g.told_at, '-infinity') and g.follow_ups < $1
        and j.archived_at is null and j.state in ('completed', 'failed') and j.waiting_for is null
        and (a.id is null
             or a.paused_at is null and a.removed_at is null and a.definition is not null)
        and not exists (select from gaps o where o.job_id = g.job_id and not o.answered
                           and o.merged_at is not null and o.asked_at is null)
      group by j.id, p.id, a.id, g.pr_number`,
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
    `select q.question, g.answered, g.sources, g.asked_at as "askedAt"
       from gaps g join questions q on q.id = g.question_id
      where g.job_id = $1 order by g.id`,
    [jobId],
  );
  return rows;
}
