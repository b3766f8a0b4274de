import { newId } from '../ids.ts';
import type { Queryable } from './pool.ts';

export interface Question {
  id: string;
  threadId: string | null;
  question: string;
  answered: boolean;
  createdAt: Date;
}

/** Notes a question and whether the docs held its answer. */
export async function recordQuestion(db: Queryable, row: { projectId: string; threadId: string; question: string; answered: boolean }): Promise<void> {
  await db.query(
    'insert into questions (id, project_id, thread_id, question, answered) values ($1, $2, $3, $4, $5)',
    [newId('q'), row.projectId, row.threadId, row.question, row.answered],
  );
}

/** A project's questions, newest first; `answered: false` gives those that the docs do not answer. */
export async function listQuestions(db: Queryable, projectId: string, options: { answered?: boolean; limit: number }): Promise<Question[]> {
  const { rows } = await db.query<Question>(
    `select id, thread_id as "threadId", question, answered, created_at as "createdAt"
       from questions where project_id = $1 and ($2::boolean is null or answered = $2)
      order by created_at desc, id desc limit $3`,
    [projectId, options.answered ?? null, options.limit],
  );
  return rows;
}
