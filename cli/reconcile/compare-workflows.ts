import { wasReset } from '../../jobs/follow-reset.ts';
import { queryJob, workflowStatus } from '../../jobs/workflow-client.ts';
import { jobById } from '../../db/jobs/jobs.ts';
import { JOB_WORKFLOW } from '../../shared/jobs/job.ts';
import { hasLostRun } from '../../jobs/lost-run.ts';
import type { Difference, ReconcileDeps } from './difference.ts';

/** A job that was archived so recently may be about to end in Temporal. */
const ENDING_MS = 60_000;
const REASON = 'docent reconcile: not an open job in Postgres';

/** Running workflows of jobs that Postgres does not know, or has archived. */
export async function compareWorkflows(
  deps: ReconcileDeps,
  openIds: ReadonlySet<string>,
): Promise<Difference[]> {
  const query =
    `WorkflowType = "${JOB_WORKFLOW}" AND ExecutionStatus = "Running" ` +
    `AND TaskQueue = "${deps.config.TASK_QUEUE}"`;
  const found: Difference[] = [];
  for await (const { workflowId } of deps.temporal.workflow.list({ query })) {
    if (openIds.has(workflowId)) continue;
    const difference = await compareWorkflow(deps, workflowId);
    if (difference) found.push(difference);
  }
  return found;
}

async function compareWorkflow(
  deps: ReconcileDeps,
  jobId: string,
): Promise<Difference | undefined> {
  // The list may lag behind. A row is there before its workflow is.
  if ((await workflowStatus(deps.temporal, jobId)) !== 'RUNNING') return undefined;
  const settle = () => deps.temporal.workflow.getHandle(jobId).terminate(REASON);
  const row = await jobById(deps.pool, jobId);
  if (!row)
    return {
      ...{ kind: 'missing-in-postgres', job: jobId, settle },
      says: 'Postgres has no such job, and Temporal runs it.',
      remedy: 'Its workflow is ended.',
    };
  if (!row.archivedAt || row.archivedAt.getTime() > Date.now() - ENDING_MS) return undefined;
  const view = await queryJob(deps.temporal, jobId);
  // A reset opens an archived job again, from its next follow-up on.
  const isReopened =
    view &&
    wasReset(row, view) &&
    !(row.runId !== null && (await hasLostRun(deps, jobId, row.runId)));
  if (!view || isReopened) return undefined;
  return {
    ...{ kind: 'archived-in-postgres', job: jobId, settle },
    says: 'It is archived, and Temporal still runs it.',
    remedy: 'Its workflow is ended.',
  };
}
