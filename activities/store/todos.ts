import type { Queryable } from '../../shared/db/pool.ts';
import type { Todo } from '../../shared/job.ts';

export async function readTodos(db: Queryable, jobId: string): Promise<Todo[]> {
  const { rows } = await db.query<{ todos: Todo[] }>('select todos from jobs where id = $1', [
    jobId,
  ]);
  return rows[0]?.todos ?? [];
}
