import { type Client, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { Config } from '../shared/config.ts';
import type { Pool } from '../shared/db/pool.ts';
import { deleteEmptyProjects, deleteJob, findRemovableJobs } from '../shared/db/removal.ts';

const BATCH = 100;
const DEADLINE_MS = 5_000;
const GONE = new Set<number>([5]); // gRPC NOT_FOUND

/**
 * Removes what nobody is to find any more: deleted projects, and jobs that were archived longer ago than they are kept.
 * A job's executions go first: where Temporal is away, its row stays for the next round.
 */
export async function removeExpired({ config, pool, temporal }: { config: Config; pool: Pool; temporal: Client }): Promise<void> {
  for (const jobId of await findRemovableJobs(pool, config.JOB_RETENTION_DAYS ?? null, BATCH)) {
    await deleteExecutions(temporal, jobId);
    await deleteJob(pool, jobId);
  }
  await deleteEmptyProjects(pool);
}

/** Ends a job's workflow and deletes the history of each of its runs. */
async function deleteExecutions(temporal: Client, workflowId: string): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId);
  const runIds = new Set<string>();
  await ignoringAbsence(() => temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    runIds.add((await handle.describe()).runId); // the list lags behind
    await handle.terminate('the job is deleted');
  }));
  for await (const { runId } of temporal.workflow.list({ query: `WorkflowId = "${workflowId}"` })) runIds.add(runId);
  for (const runId of runIds) {
    await ignoringAbsence(() => temporal.withDeadline(Date.now() + DEADLINE_MS, () => temporal.workflowService.deleteWorkflowExecution({
      namespace: temporal.options.namespace, workflowExecution: { workflowId, runId },
    })));
  }
}

async function ignoringAbsence(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError) && !(isGrpcServiceError(error) && GONE.has(error.code))) throw error;
  }
}
