import type { Queryable } from '../pool.ts';
import type { Todo } from '../../jobs/job.ts';

export async function readTodos(db: Queryable, jobId: string): Promise<Todo[]> {
  const { rows } = await db.query<{ todos: Todo[] }>('select todos from jobs where id = $1', [
    jobId,
  ]);
  return rows[0]?.todos ?? [];
}
