import { ApplicationFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { transaction, type Transaction } from '../shared/db/pool.ts';
import type { JobEvent } from '../shared/jobs/job.ts';
import { rewindRow } from '../shared/db/jobs/rewind.ts';
import type { ActivityDeps } from './deps.ts';
import {
  findActivityResult,
  finishActivity,
  isDuplicateResult,
  type JobChange,
  lockJob,
  takeOver,
} from '../shared/db/jobs/activity-results.ts';
import type { Job } from '../shared/db/jobs/job.ts';
import { type JobProject, readJobProject } from '../shared/db/jobs/job-project.ts';
import type { Position, Stamp } from './types.ts';

/** What an activity did: its result for the workflow, and what goes with it in the same commit. */
export interface Done<R extends object> {
  result: R;
  change?: JobChange;
  events?: JobEvent[];
}

/**
 * Runs the effects of an activity in one transaction, at most once for each (run, activity id):
 * a retry, or a worker believed dead, finds the stored result and returns it. The job's row is
 * locked meanwhile and belongs to one run at a time: a run that is no longer Temporal's current one
 * changes nothing.
 *
 * Throws the failure `superseded` for such a run.
 */
export async function once<R extends object>(
  deps: ActivityDeps,
  caller: Position,
  work: (tx: Transaction, row: Job) => Promise<Done<R>>,
): Promise<R & { at: Stamp }> {
  const { workflowExecution, activityId, activityType } = Context.current().info;
  const runId = workflowExecution?.runId ?? '';
  for (;;) {
    const outcome = await transaction(deps.pool, async tx => {
      const locked = await lockJob(tx, caller.jobId, runId, activityId);
      if (!locked) throw superseded('The job was deleted.');
      if (locked.stored) return { result: locked.stored.result as R & { at: Stamp } };
      if (locked.row.runId !== runId) return { owner: locked.row.runId };
      const done = await work(tx, locked.row);
      const at = await finishActivity(tx, {
        jobId: caller.jobId,
        runId,
        activityId,
        type: activityType,
        change: done.change ?? {},
        events: done.events ?? [],
        result: done.result,
      });
      return { result: { ...done.result, at } };
    }).catch((error: unknown) => {
      // Two workers at once: the second waited for the lock with a snapshot in which the first
      // one's result was not stored yet.
      if (isDuplicateResult(error)) return 'look again' as const;
      throw error;
    });
    if (outcome === 'look again') continue;
    if ('result' in outcome) return outcome.result;
    await becomeOwner(deps, caller, outcome.owner, runId);
  }
}

/**
 * The result that an earlier attempt of this activity stored: nothing expensive is done again.
 */
export async function storedResult<R>(deps: ActivityDeps): Promise<R | undefined> {
  const { workflowExecution, activityId, attempt } = Context.current().info;
  // Nobody can have been here before: saves a round trip of every activity.
  if (attempt === 1) return undefined;
  return findActivityResult<R>(deps.pool, workflowExecution?.runId ?? '', activityId);
}

/**
 * The job's project, for an activity that acts before it writes: the row belongs to its run from
 * here on, so that an old run neither pays for a model call nor pushes. Throws `superseded` as
 * `once` does.
 */
export async function ownedJob(deps: ActivityDeps, caller: Position): Promise<JobProject> {
  const runId = Context.current().info.workflowExecution?.runId ?? '';
  for (;;) {
    const project = await readJobProject(deps.pool, caller.jobId);
    if (!project) throw superseded('The job was deleted.');
    if (project.runId === runId) return project;
    await becomeOwner(deps, caller, project.runId, runId);
  }
}

/**
 * Asked outside the transaction: Temporal must not be waited for under the row's lock. If the row
 * has changed meanwhile, the caller asks again.
 */
async function becomeOwner(
  deps: ActivityDeps,
  caller: Position,
  owner: string | null,
  runId: string,
): Promise<void> {
  if (owner !== null && !(await deps.isCurrentRun(caller.jobId, runId)))
    throw superseded('Another run of this job has taken over.');
  const continues = owner === null || owner === caller.continuedFrom;
  // A run that does not continue the row's one: the job was taken back to an earlier point.
  await transaction(deps.pool, async tx =>
    continues
      ? takeOver(tx, caller.jobId, owner, runId)
      : rewindRow(tx, caller, runId, { from: owner }),
  );
}

function superseded(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'superseded');
}
