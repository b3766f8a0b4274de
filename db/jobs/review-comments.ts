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
  /** Null: it began its thread. */
  parentId: string | null;
  editedAt: Date | null;
}

/** Sent while its instruction waits or was taken: one that was withdrawn or dropped reached nobody. */
const STATE = `case
    when c.resolved_at is not null then 'resolved'
    when i.state in ('waiting', 'taken') then 'sent'
    else 'open' end`;
const SELECT = `select c.id, c.user_id as "userId", c.author, c.file, c.line, c.quote, c.text,
         ${STATE} as state, c.created_at as "createdAt", c.parent_id as "parentId",
         c.edited_at as "editedAt"
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
  parentId: string | null;
}

/** The id of the new comment. */
export async function insertReviewComment(
  db: Queryable,
  { jobId, userId, author, file, line, quote, text, parentId }: AddedReviewComment,
): Promise<string> {
  const id = newId('cmt');
  await db.query(
    `insert into review_comments
       (id, job_id, user_id, author, file, line, quote, text, parent_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, jobId, userId, author, file, line, quote, text, parentId],
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

/** False: it is not a comment of this person, or the agent has it. */
export async function editReviewComment(
  db: Queryable,
  { jobId, id, userId, text }: { jobId: string; id: string; userId: string; text: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update review_comments r set text = $4, edited_at = now()
       from (${SELECT} where c.job_id = $1 and c.id = $2) as now
      where now.id = r.id and now.state <> 'sent' and r.user_id = $3`,
    [jobId, id, userId, text],
  );
  return rowCount !== 0;
}

/** With the replies to it. */
export async function resolveReviewComment(
  db: Queryable,
  jobId: string,
  id: string,
  resolved: boolean,
): Promise<void> {
  await db.query(
    `update review_comments set resolved_at = case when $3 then now() end
      where job_id = $1 and (id = $2 or parent_id = $2)`,
    [jobId, id, resolved],
  );
}

export async function deleteReviewComment(db: Queryable, jobId: string, id: string): Promise<void> {
  await db.query('delete from review_comments where job_id = $1 and id = $2', [jobId, id]);
}

export interface ReviewVerdictRow {
  author: string;
  verdict: 'approved' | 'changes_requested';
  /** The job has had more turns since. */
  isOld: boolean;
  createdAt: Date;
}

/** The newest of each person, oldest first. */
export async function listVerdicts(db: Queryable, jobId: string): Promise<ReviewVerdictRow[]> {
  const { rows } = await db.query<ReviewVerdictRow>(
    `select v.author, v.verdict, v.turns < j.turns as "isOld", v.created_at as "createdAt"
       from review_verdicts v join jobs j on j.id = v.job_id
      where v.job_id = $1 order by v.created_at, v.user_id`,
    [jobId],
  );
  return rows;
}

/** In the place of what the person decided before. */
export async function storeVerdict(
  db: Queryable,
  {
    jobId,
    userId,
    author,
    verdict,
  }: { jobId: string; userId: string } & Pick<ReviewVerdictRow, 'author' | 'verdict'>,
): Promise<void> {
  await db.query(
    `insert into review_verdicts (job_id, user_id, author, verdict, turns)
     select id, $2, $3, $4, turns from jobs where id = $1
     on conflict (job_id, user_id) do update
       set author = excluded.author, verdict = excluded.verdict, turns = excluded.turns,
           created_at = now()`,
    [jobId, userId, author, verdict],
  );
}
