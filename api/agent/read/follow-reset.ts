import { findJob } from '../../../shared/db/jobs/jobs.ts';
import type { Job } from '../../../shared/db/jobs/job.ts';
import { transaction } from '../../../shared/db/pool.ts';
import { rewindRow } from '../../../shared/db/jobs/rewind.ts';
import type { JobView } from '../../../shared/jobs/job.ts';
import type { AgentDeps } from '../deps.ts';
import { currentRun } from '../workflow-client.ts';

/**
 * Whether a run answers that neither has the row nor continues the one that has: somebody has reset
 * the workflow.
 */
export function wasReset(row: Job, view: JobView): boolean {
  return row.runId !== null && view.runId !== row.runId && view.continuedFrom !== row.runId;
}

/**
 * Takes the row to where a reset has taken the workflow. The reset run's next activity would do it;
 * but one that stands at a moment of rest has none until somebody sends a follow-up. Returns the
 * row as it is then.
 */
export async function followReset(deps: AgentDeps, row: Job, view: JobView): Promise<Job> {
  // An answer may be older than the row: of a run that is itself undone by now.
  if ((await currentRun(deps.temporal, row.id)) !== view.runId) return row;
  const { status, haltReason, messageToUser } = view;
  await transaction(deps.pool, tx =>
    rewindRow(tx, view, view.runId, {
      from: row.runId,
      rest: status === 'active' ? null : { status, haltReason, messageToUser },
    }),
  );
  return (await findJob(deps.pool, row.projectId, row.id)) ?? row;
}
