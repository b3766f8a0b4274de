import type { Client } from '@temporalio/client';
import type { Log } from '../../shared/logger.ts';
import type { Config } from '../../shared/config.ts';
import type { Pool } from '../../db/pool.ts';
import {
  deleteContentOfDeletedProjects,
  deleteEmptyProjects,
  deleteJob,
  findRemovableJobs,
} from '../../db/jobs/removal.ts';
import { isNotFound } from '../rewind/reset-point.ts';

const BATCH = 100;
const DEADLINE_MS = 5_000;
/** Of a round; the rest is left for the next one. */
const ROUND_MS = 20_000;

/**
 * Deletes jobs of deleted projects and jobs whose retention has passed, then the empty projects. A
 * job's executions are deleted first: if Temporal is down, its row stays for the next round, and
 * keeps no other row waiting.
 */
export async function removeExpired({
  config,
  pool,
  temporal,
  log,
}: {
  config: Config;
  pool: Pool;
  temporal: Client;
  log: Log;
}): Promise<void> {
  const end = Date.now() + ROUND_MS;
  const failed: string[] = [];
  while (Date.now() < end) {
    const jobIds = await findRemovableJobs(pool, config.JOB_RETENTION_DAYS ?? null, BATCH, failed);
    for (const jobId of jobIds) {
      if (Date.now() >= end) break;
      try {
        await deleteExecutions(temporal, jobId);
        await deleteJob(pool, jobId);
      } catch (error) {
        failed.push(jobId);
        log.warn({ err: error, jobId }, 'a job is not removed yet');
      }
    }
    if (jobIds.length < BATCH) break;
  }
  for (let removed = 1; removed > 0;) {
    if (Date.now() >= end) return;
    removed = await deleteContentOfDeletedProjects(pool, BATCH);
  }
  await deleteEmptyProjects(pool);
}

/** Ends a job's workflow and deletes the history of each of its runs. */
async function deleteExecutions(temporal: Client, workflowId: string): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId);
  const runIds = new Set<string>();
  await ignoringAbsence(() =>
    temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
      runIds.add((await handle.describe()).runId); // the list lags behind
      await handle.terminate('the job is deleted');
    }),
  );
  await temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    for await (const { runId } of temporal.workflow.list({ query: `WorkflowId = "${workflowId}"` }))
      runIds.add(runId);
  });
  for (const runId of runIds) {
    await ignoringAbsence(() =>
      temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
        temporal.workflowService.deleteWorkflowExecution({
          namespace: temporal.options.namespace,
          workflowExecution: { workflowId, runId },
        }),
      ),
    );
  }
}

async function ignoringAbsence(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
