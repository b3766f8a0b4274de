import type { Log } from '../../shared/logger.ts';
import { lockProjectJob, markActive, unmarkActive } from '../../db/jobs/jobs.ts';
import { claimBranch } from '../../db/jobs/branch-holds.ts';
import type { Job } from '../../db/jobs/job.ts';
import { transaction } from '../../db/pool.ts';
import { rewindRow } from '../../db/jobs/rewind.ts';
import { dropInstructions, dropWaiting, restoreWaiting } from '../../db/jobs/instructions.ts';
import { Problem } from '../../shared/errors.ts';
import type { JobsDeps } from '../deps.ts';
import { refuseOverJobLimits } from '../limits.ts';
import { requireJob, rowStatus } from '../read-job.ts';
import { findStep, instructionsAfter, type ResetPoint, resetTo, stepsOf } from './reset-point.ts';

export interface RewindDeps extends JobsDeps {
  log: Log;
}

export interface Rewind {
  projectId: string;
  jobId: string;
  /** Without it, the newest turn. */
  turn?: number;
  /** The step to make again. */
  step: number;
}

/**
 * Takes a running or idle job back to just before a step, from where it continues without the later
 * messages. Throws 400 if there is no such step, 404, 409 (archived, or its branch went to another
 * job) and 429.
 */
export async function rewindJob(
  deps: RewindDeps,
  { projectId, jobId, turn, step }: Rewind,
): Promise<Job> {
  const job = await requireJob(deps, projectId, jobId);
  if (job.archivedAt) throw archived();
  const wanted = turn ?? job.turns;
  const point = await findStep(deps.temporal, jobId, wanted, step);
  if (!point) {
    const steps = await stepsOf(deps.temporal, jobId, wanted);
    const message =
      steps.length === 0
        ? `names no step: Temporal has none of turn ${wanted} (any more)`
        : `must be ${steps[0]} to ${steps.at(-1)} in turn ${wanted}, the steps that Temporal has`;
    throw new Problem('invalid_request', `step ${message}.`, {
      errors: [{ path: 'step', message }],
    });
  }
  const marked = await markResumed(deps, projectId, jobId, wanted);
  let runId: string;
  try {
    runId = await resetTo(deps.temporal, jobId, point);
  } catch (error) {
    // If the reset happened all the same, the new run's first activity takes the row over.
    await transaction(deps.pool, async tx => {
      await restoreWaiting(tx, jobId, marked.dropped);
      await unmarkActive(tx, jobId, marked.version, marked.before.state);
    });
    throw error;
  }
  // At once, so that nothing that the old run still does counts once the caller has its response.
  await transaction(deps.pool, tx => rewindRow(tx, point.position, runId));
  await recordDropped(deps, point).catch((error: unknown) =>
    deps.log.warn(
      { err: error, jobId },
      'messages after the rewound step were not recorded as dropped',
    ),
  );
  return requireJob(deps, projectId, jobId);
}

/**
 * Records as dropped the instructions that came after the step and have no row yet: those of
 * scripts' signals, and those sent between the mark and the reset.
 */
async function recordDropped({ pool, temporal }: JobsDeps, point: ResetPoint): Promise<void> {
  const later = await instructionsAfter(temporal, point);
  await transaction(pool, tx =>
    dropInstructions(tx, point.position.jobId, later, point.position.turn),
  );
}

/**
 * Marks an idle job active, as a follow-up does; a running one stays as it is. Waiting instructions
 * are dropped before the reset: if this process died after it, the sweeper would signal them again.
 * (The new run still takes those that it knows.)
 */
async function markResumed(
  deps: JobsDeps,
  projectId: string,
  jobId: string,
  turn: number,
): Promise<{ before: Job; version: number; dropped: string[] }> {
  return transaction(deps.pool, async tx => {
    const before = await lockProjectJob(tx, projectId, jobId);
    if (!before) throw new Problem('not_found', 'There is no such job.');
    if (before.archivedAt) throw archived();
    const dropped = await dropWaiting(tx, jobId, turn);
    if (rowStatus(before) === 'active') return { before, version: before.version, dropped };
    await refuseOverJobLimits(tx, deps.config, before);
    if ((await claimBranch(tx, before.repositoryUrl, before.branch, jobId)) !== undefined)
      throw new Problem('conflict', 'Another open job works on this job’s branch now.');
    return { before, version: await markActive(tx, jobId), dropped };
  });
}

function archived(): Problem {
  return new Problem('conflict', 'The job is archived and cannot be rewound; create a new job.');
}
