import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { lastEventAt } from '../db/jobs/events.ts';
import type { Pool } from '../db/pool.ts';

const DEADLINE_MS = 5_000;

/** How long Temporal keeps a workflow that has ended, in seconds. Rejects if it does not say. */
export async function retentionSeconds(temporal: Client): Promise<number> {
  const { config } = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflowService.describeNamespace({ namespace: temporal.options.namespace }),
  );
  const seconds = config?.workflowExecutionRetentionTtl?.seconds;
  if (seconds === undefined || seconds === null)
    throw new Error('Temporal does not say how long it keeps what has ended');
  return Number(seconds);
}

/**
 * Whether Temporal has lost the run that a job's row belongs to, because it was restored from a
 * backup. It deletes what has ended, so that its "not found" alone proves nothing: but a run that
 * made the job's last event within the time for which Temporal keeps ended ones cannot have been
 * deleted yet. Rejects if Temporal does not answer.
 */
export async function hasLostRun(
  { pool, temporal }: { pool: Pool; temporal: Client },
  jobId: string,
  runId: string,
): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.workflow.getHandle(jobId, runId).describe(),
    );
    return false;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  const alive = await lastEventAt(pool, jobId);
  if (alive === undefined) return false;
  return alive.getTime() > Date.now() - (await retentionSeconds(temporal)) * 1000;
}
