import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { type Asked, deleteResultsSince, lockJob, takeOver } from '../db/jobs/activity-results.ts';
import type { Job } from '../db/jobs/job.ts';
import { type JobProject, readForActivity } from '../db/jobs/job-project.ts';
import { rewindRow } from '../db/jobs/rewind.ts';
import { transaction, type Transaction } from '../db/pool.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import type { Position } from '../shared/jobs/activity-types.ts';

/** What an activity begins with: its stored result, or the job's project. */
export type Opened<R extends object> = { stored: R } | { stored: null; project: JobProject };

/**
 * For an activity that acts before it writes. Either the result that an earlier attempt
 * stored: nothing expensive is done again, nor is it after a restore of Temporal, for as long as the
 * history comes to the same. Or the job's project: the row belongs to the activity's run from here
 * on, so that an old run neither pays for a model call nor pushes. Throws `superseded` as `once`
 * does.
 */
export async function openActivity<R extends object>(
  deps: ActivityDeps,
  caller: Position,
): Promise<Opened<R>> {
  const asked = askedNow(caller);
  for (;;) {
    const found = await readForActivity<R>(deps.pool, caller.jobId, asked);
    if (!found) throw superseded('The job was deleted.');
    const { stored, project } = found;
    if (stored) return { stored };
    if (project.runId === asked.runId) return { stored: null, project };
    await becomeOwner(deps, caller, project.runId, asked.runId);
  }
}

/** What this activity is asked: its input, but for the workflow's clock. */
export function askedNow(input: Position): Asked {
  const { workflowExecution, activityId, activityType } = Context.current().info;
  const question = JSON.stringify([activityType, { ...input, now: undefined }]);
  return {
    runId: workflowExecution?.runId ?? '',
    activityId,
    inputHash: createHash('sha256').update(question).digest(),
  };
}

/**
 * Asked outside the transaction: Temporal must not be waited for under the row's lock. If the row
 * has changed meanwhile, the caller asks again. True if Temporal was restored and has lost the run
 * that owned the row.
 */
export async function becomeOwner(
  deps: ActivityDeps,
  caller: Position,
  owner: string | null,
  runId: string,
): Promise<boolean> {
  if (owner !== null && !(await deps.isCurrentRun(caller.jobId, runId)))
    throw superseded('Another run of this job has taken over.');
  if (owner === null || owner === caller.continuedFrom) {
    await transaction(deps.pool, tx => takeOver(tx, caller.jobId, owner, runId));
    return false;
  }
  // A run that does not continue the row's one: the job was taken back to an earlier point.
  const isRestored = await deps.hasLostRun(caller.jobId, owner);
  await transaction(deps.pool, tx => rewindRow(tx, caller, runId, { from: owner, isRestored }));
  return isRestored;
}

/**
 * The activity's id in this very run belongs to another question: Temporal was restored from a
 * backup that is older than the row. What the job did since is undone, as by a rewind; what it was
 * asked since waits again.
 */
export async function goBack(tx: Transaction, caller: Position, asked: Asked): Promise<Job> {
  Context.current().log.warn('the history is older than the row: the job goes back', {
    jobId: caller.jobId,
  });
  await deleteResultsSince(tx, asked);
  await rewindRow(tx, caller, asked.runId, { isRestored: true });
  const locked = await lockJob(tx, caller.jobId, asked);
  if (!locked) throw superseded('The job was deleted.');
  return locked.row;
}

export function superseded(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'superseded');
}
