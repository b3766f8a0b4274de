import { findJob } from '../db/jobs/jobs.ts';
import type { Job } from '../db/jobs/job.ts';
import { transaction } from '../db/pool.ts';
import { rewindRow } from '../db/jobs/rewind.ts';
import type { JobView } from '../shared/jobs/job.ts';
import type { JobsDeps } from './deps.ts';
import { hasLostRun } from './lost-run.ts';
import { currentRun } from './workflow-client.ts';

/** Whether the workflow was reset: its run neither has the row nor continues that run. */
export function wasReset(row: Job, view: JobView): boolean {
  return row.runId !== null && view.runId !== row.runId && view.continuedFrom !== row.runId;
}

/**
 * Updates the row to match a workflow that was reset. The next activity would do it, but an idle
 * run has none until the next follow-up. Returns the updated row.
 */
export async function followReset(
  deps: Pick<JobsDeps, 'pool' | 'temporal'>,
  row: Job,
  view: JobView,
): Promise<Job> {
  // The view may be older than the row, from a run that was itself reset since.
  if ((await currentRun(deps.temporal, row.id)) !== view.runId) return row;
  const { status, haltReason, messageToUser, waitingFor } = view;
  const isRestored = row.runId !== null && (await hasLostRun(deps, row.id, row.runId));
  await transaction(deps.pool, tx =>
    rewindRow(tx, view, view.runId, {
      from: row.runId,
      rest:
        status === 'active'
          ? null
          : { status, haltReason, messageToUser, waitingFor: waitingFor ?? null },
      isRestored,
    }),
  );
  return (await findJob(deps.pool, row.projectId, row.id)) ?? row;
}
