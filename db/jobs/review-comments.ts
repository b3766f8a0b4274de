import { newId } from '../../shared/ids.ts';
import type { Queryable, Transaction } from '../pool.ts';

export interface ReviewCommentRow {
  id: string;
  userId: string | null;
  author: string;
  file: string;
  line: number | null;
  quote: string;
  text: string;
  state: 'open' | 'sent' | 'resolved';
  createdAt: Date;
}

/** Sent while its instruction waits or was taken: one that was withdrawn or dropped reached nobody. */
const STATE = `case
    when c.resolved_at is not null then 'resolved'
    when i.state in ('waiting', 'taken') then 'sent'
    else 'open' end`;
const SELECT = `select c.id, c.user_id as "userId", c.author, c.file, c.line, c.quote, c.text,
         ${STATE} as state, c.created_at as "createdAt"
    from review_comments c
    left join instructions i on i.job_id = c.job_id and i.message_id = c.message_id`;

/** A job's comments, oldest first. */
export async function listReviewComments(
  db: Queryable,
  jobId: string,
): Promise<ReviewCommentRow[]> {
  const { rows } = await db.query<ReviewCommentRow>(`${SELECT} where c.job_id = $1 order by c.id`, [
    jobId,
  ]);
  return rows;
}

export interface AddedReviewComment {
  jobId: string;
  userId: string;
  author: string;
  file: string;
  line: number | null;
  quote: string;
  text: string;
}

/** The id of the new comment. */
export async function insertReviewComment(
  db: Queryable,
  { jobId, userId, author, file, line, quote, text }: AddedReviewComment,
): Promise<string> {
  const id = newId('cmt');
  await db.query(
    `insert into review_comments (id, job_id, user_id, author, file, line, quote, text)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, jobId, userId, author, file, line, quote, text],
  );
  return id;
}

/** Marks comments as carried by an instruction; how many of them were still open. */
export async function markCommentsSent(
  tx: Transaction,
  jobId: string,
  ids: string[],
  messageId: string,
): Promise<number> {
  const { rowCount } = await tx.query(
    `update review_comments r set message_id = $3
       from (${SELECT} where c.job_id = $1) as now
      where now.id = r.id and now.state = 'open' and r.id = any($2)`,
    [jobId, ids, messageId],
  );
  return rowCount ?? 0;
}

/** False: the job has no such comment. */
export async function resolveReviewComment(
  db: Queryable,
  jobId: string,
  id: string,
  resolved: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update review_comments set resolved_at = case when $3 then now() end
      where job_id = $1 and id = $2`,
    [jobId, id, resolved],
  );
  return rowCount !== 0;
}

export async function deleteReviewComment(db: Queryable, jobId: string, id: string): Promise<void> {
  await db.query('delete from review_comments where job_id = $1 and id = $2', [jobId, id]);
}
