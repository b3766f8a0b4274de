import type { Queryable } from '../pool.ts';

/**
 * The instructions of a turn, and the job's pull request; those that came as comments have brought
 * their comments along.
 */
export async function turnInstructions(
  db: Queryable,
  jobId: string,
  turn: number,
): Promise<{ prompts: string[]; pullRequest: number | null }> {
  const { rows } = await db.query<{ prompts: string[]; pullRequest: number | null }>(
    `select array(select prompt from instructions where job_id = $1 and turn = $2 and source <> 'comment' order by seq) as prompts,
            (select pr_number from jobs where id = $1) as "pullRequest"`,
    [jobId, turn],
  );
  return rows[0]!;
}
