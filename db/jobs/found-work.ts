import type { Queryable, Transaction } from '../pool.ts';
import { TOUCH_JOB } from './job.ts';

/** Locks the job's row until the transaction ends; false if it is another run's by now. */
export async function holdJob(
  tx: Transaction,
  jobId: string,
  runId: string | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select 1 from jobs where id = $1 and run_id is not distinct from $2 for update',
    [jobId, runId],
  );
  return rowCount === 1;
}

/** The branch was found pushed on the host, and perhaps its pull request. */
export async function noteFoundPullRequest(
  tx: Queryable,
  jobId: string,
  branch: string,
  pull: { number: number; url: string } | undefined,
): Promise<void> {
  await tx.query(
    `${TOUCH_JOB}, ref = $2, pr_number = coalesce($3, pr_number), pr_link = coalesce($4, pr_link)
      where id = $1`,
    [jobId, branch, pull?.number ?? null, pull?.url ?? null],
  );
}
