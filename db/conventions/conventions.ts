import type { Queryable, Transaction } from '../pool.ts';

/** What a person asked of a job after its first instruction. */
export interface ReviewRequest {
  /** `ins_` and a number, or that of a review comment. */
  id: string;
  jobId: string;
  jobTitle: string;
  text: string;
  /** Stems, without stop words. */
  words: string[];
  createdAt: Date;
}

/** Newest requests that are compared with each other, and jobs in which they are looked for. */
const MOST_COMPARED = 200;
const NEWEST_JOBS = 2_000;
/** Characters: what is longer is a task, not a convention. */
const LONGEST = 600;

/**
 * The newest follow-ups and review comments of a project's newest jobs, oldest first. Those of an
 * instruction that only carries comments are the comments.
 */
export async function listReviewRequests(
  db: Queryable,
  projectId: string,
): Promise<ReviewRequest[]> {
  const { rows } = await db.query<ReviewRequest>(
    `with jobs_asked as materialized (
       select id, created_at from jobs where project_id = $1 and state <> 'given_up'
        order by created_at desc, id desc limit $4),
     asked as (
       select 'ins_' || i.seq as id, i.job_id, split_part(i.prompt, E'\\n\\n', 1) as text,
              i.created_at
         from jobs_asked j cross join lateral (
                select * from instructions where job_id = j.id offset 0) i
        where i.created_at > j.created_at
          and i.role = 'user' and i.state in ('waiting', 'taken') and length(i.prompt) <= $2
          and (select true from review_comments c
                where c.job_id = i.job_id and c.message_id = i.message_id limit 1) is null
       union all
       select c.id, c.job_id, c.text, c.created_at
         from jobs_asked j cross join lateral (
                select * from review_comments where job_id = j.id offset 0) c
        where c.message_id is not null and length(c.text) <= $2),
     newest as (select * from asked order by created_at desc, id limit $3)
     select n.id, n.job_id as "jobId", coalesce(j.title, left(j.prompt, 100)) as "jobTitle",
            n.text, question_words(n.text) as words, n.created_at as "createdAt"
       from newest n join jobs j on j.id = n.job_id
      order by n.created_at, n.id`,
    [projectId, LONGEST, MOST_COMPARED, NEWEST_JOBS],
  );
  return rows;
}

/** The stems of all requests that a person has decided about, unless the job never began. */
export async function listDecided(db: Queryable, projectId: string): Promise<string[][]> {
  const { rows } = await db.query<{ words: string[] }>(
    `select c.words from conventions c left join jobs j on j.id = c.job_id
      where c.project_id = $1 and j.state is distinct from 'given_up'`,
    [projectId],
  );
  return rows.map(({ words }) => words);
}

export interface Decision {
  id: string;
  projectId: string;
  words: string[];
  /** Null: dismissed. */
  line: string | null;
  jobId: string | null;
  userId: string;
}

/** False: someone has decided already. */
export async function insertDecision(
  tx: Queryable | Transaction,
  { id, projectId, words, line, jobId, userId }: Decision,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into conventions as c (id, project_id, words, line, job_id, user_id)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update
        set line = excluded.line, job_id = excluded.job_id, user_id = excluded.user_id,
            created_at = now()
      where (select state from jobs where id = c.job_id) = 'given_up'`,
    [id, projectId, words, line, jobId, userId],
  );
  return rowCount === 1;
}
