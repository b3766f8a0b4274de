import { newId } from '../../ids.ts';
import type { Queryable } from '../pool.ts';
import { containsPattern } from '../text-search.ts';

export interface Question {
  id: string;
  threadId: string | null;
  question: string;
  answered: boolean;
  createdAt: Date;
  /** The newest job that was started to answer it. */
  jobId: string | null;
  /** What the assistant said, and what it cited; null and none once the thread is gone. */
  answer: string | null;
  sources: { url: string; title: string }[];
}

/** Notes a question and whether the docs held its answer. */
export async function recordQuestion(
  db: Queryable,
  row: { projectId: string; threadId: string; question: string; answered: boolean },
): Promise<void> {
  await db.query(
    `insert into questions (id, project_id, thread_id, question, answered)
     values ($1, $2, $3, $4, $5)`,
    [newId('q'), row.projectId, row.threadId, row.question, row.answered],
  );
}

export interface QuestionFilter {
  /** `false` gives those that the docs do not answer. */
  answered?: boolean;
  search?: string;
  /** Id of the last question of the page before. */
  after?: string;
  id?: string;
  limit: number;
}

/** A project's questions, newest first. */
export async function listQuestions(
  db: Queryable,
  projectId: string,
  filter: QuestionFilter,
): Promise<Question[]> {
  const { rows } = await db.query<Question>(
    `select q.id, q.thread_id as "threadId", q.question, q.answered, q.created_at as "createdAt",
            q.job_id as "jobId",
            said.text as answer, coalesce(said.sources, '[]') as sources
       from questions q
       left join lateral (
         select a.text, a.sources
           from (select max(seq) as seq from thread_messages
                  where thread_id = q.thread_id and role = 'user' and text = q.question) asked
           join thread_messages a
             on a.thread_id = q.thread_id and a.role = 'assistant' and a.seq > asked.seq
          order by a.seq limit 1
       ) said on true
      where q.project_id = $1 and ($2::boolean is null or q.answered = $2)
        and ($3::text is null or q.question ilike $3)
        and ($4::text is null or q.id = $4)
        and ($5::text is null
             or (q.created_at, q.id) <
                (select created_at, id from questions where id = $5 and project_id = $1))
      order by q.created_at desc, q.id desc limit $6`,
    [
      projectId,
      filter.answered ?? null,
      containsPattern(filter.search),
      filter.id ?? null,
      filter.after ?? null,
      filter.limit,
    ],
  );
  return rows;
}

/** Notes the job that was started to answer a question. */
export async function linkQuestion(
  db: Queryable,
  questionId: string,
  jobId: string,
): Promise<void> {
  await db.query('update questions set job_id = $2 where id = $1', [questionId, jobId]);
}
