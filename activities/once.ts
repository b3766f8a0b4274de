import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { type Queryable, transaction, type Transaction } from '../db/pool.ts';
import type { StatementPart } from '../db/statement-part.ts';
import { type JobEvent, LOCAL_ATTEMPT_MS } from '../shared/jobs/job.ts';
import { rewindRow } from '../db/jobs/rewind.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import {
  type Asked,
  deleteResultsSince,
  finishActivity,
  isDuplicateResult,
  type JobChange,
  lockJob,
  takeOver,
} from '../db/jobs/activity-results.ts';
import type { Job } from '../db/jobs/job.ts';
import { type JobProject, readForActivity } from '../db/jobs/job-project.ts';
import type { Position, Stamp, WorkflowTask } from '../shared/jobs/activity-types.ts';

/** What an activity did: its result for the workflow, and what goes with it in the same commit. */
export interface Done<R extends object> {
  result: R;
  change?: JobChange;
  events?: JobEvent[];
  parts?: StatementPart[];
}

/** What the effects of an activity need to know beside the row. */
export interface Found {
  /**
   * Temporal was restored from a backup: this history knows nothing of what the job did later, and
   * the row was just taken back to it.
   */
  isRestored: boolean;
}

/**
 * Runs the effects of an activity in one transaction, at most once for each (run, activity id) and
 * input: a retry, or a worker believed dead, finds the stored result and returns it. The job's row
 * is locked meanwhile and belongs to one run at a time: a run that is no longer Temporal's current
 * one changes nothing. Effects that do not depend on the row are sent as one statement; the locked
 * row is the fallback.
 *
 * Throws the failure `superseded` for such a run.
 */
export async function once<R extends object>(
  deps: ActivityDeps,
  caller: Position,
  work: Done<R> | ((tx: Transaction, row: Job, found: Found) => Promise<Done<R>>),
): Promise<R & { at: Stamp }> {
  refuseGivenUp();
  const { isLocal } = Context.current().info;
  const asked = askedNow(caller);
  if (isLocal && isOld(caller.task)) await refuseRepeated(deps, caller, asked.runId);
  if (typeof work !== 'function') {
    const at = await finish(deps.pool, caller, asked, work).catch(lookAgain);
    if (at && at !== LOOK_AGAIN) return { ...work.result, at };
  }
  let isRestored = false;
  let confirmed: string | undefined;
  for (;;) {
    const outcome = await transaction(deps.pool, async tx => {
      const locked = await lockJob(tx, caller.jobId, asked);
      if (!locked) throw superseded('The job was deleted.');
      const { stored } = locked;
      if (stored?.isSame) return { result: stored.result as R & { at: Stamp } };
      refuseGivenUp();
      // A row that no run has yet belongs to the first that comes.
      const begins = locked.row.runId === null && !stored;
      if (!begins && locked.row.runId !== asked.runId) return { owner: locked.row.runId };
      if (isLocal && stored && stored.at !== confirmed) return { unknown: stored.at };
      const row = stored ? await goBack(tx, caller, asked) : locked.row;
      const done =
        typeof work === 'function'
          ? await work(tx, row, { isRestored: isRestored || stored !== null })
          : work;
      const at = await finish(tx, caller, asked, done, begins);
      if (!at) throw new Error('the job’s row is gone');
      return { result: { ...done.result, at } };
    }).catch(lookAgain);
    if (outcome === LOOK_AGAIN) continue;
    if ('result' in outcome) return outcome.result;
    if ('unknown' in outcome) {
      await refuseRepeated(deps, caller, asked.runId);
      confirmed = outcome.unknown;
      continue;
    }
    isRestored = await becomeOwner(deps, caller, outcome.owner, asked.runId);
  }
}

const LOOK_AGAIN = Symbol();

/**
 * Two workers at once: the second waited for the row's lock with a snapshot in which the first
 * one's result was not stored yet.
 */
function lookAgain(error: unknown): typeof LOOK_AGAIN {
  if (isDuplicateResult(error)) return LOOK_AGAIN;
  throw error;
}

function finish(
  db: Queryable,
  { jobId }: Position,
  asked: Asked,
  { result, change = {}, events = [], parts = [] }: Done<object>,
  begins = false,
): Promise<Stamp | undefined> {
  const type = Context.current().info.activityType;
  return finishActivity(db, { ...asked, jobId, type, begins, change, events, parts, result });
}

/** What this activity is asked: its input, but for the workflow's clock and task. */
function askedNow(input: Position): Asked {
  const { workflowExecution, activityId, activityType } = Context.current().info;
  const question = JSON.stringify([activityType, { ...input, now: undefined, task: undefined }]);
  return {
    runId: workflowExecution?.runId ?? '',
    activityId: input.key ?? activityId,
    inputHash: createHash('sha256').update(question).digest(),
  };
}

/**
 * A local activity that has outlived its attempt, as when its worker stood still: the workflow task
 * was repeated elsewhere since, and may have come to something else under the same key. Nobody waits
 * for this one.
 */
function refuseGivenUp(): void {
  const { isLocal, currentAttemptScheduledTimestampMs: began } = Context.current().info;
  if (isLocal && Date.now() - began > LOCAL_ATTEMPT_MS)
    throw ApplicationFailure.retryable('The local attempt took too long.', 'internal');
}

/** Temporal repeats a task after ten seconds; clocks may differ by some. Most take milliseconds. */
const OLD_TASK_MS = 5_000;

function isOld(task: WorkflowTask | undefined): boolean {
  return task !== undefined && Date.now() - task.startedAt > OLD_TASK_MS;
}

/**
 * A workflow task of a worker that stood still begins when the worker wakes up, though it was
 * repeated elsewhere since, with what had arrived, and came to something else. Asked outside the
 * transaction, as `becomeOwner` does.
 */
async function refuseRepeated(
  { isCurrentTask }: ActivityDeps,
  { jobId, task }: Position,
  runId: string,
): Promise<void> {
  if (!(await isCurrentTask(jobId, runId, task?.historyLength)))
    throw ApplicationFailure.retryable('The workflow task was repeated elsewhere.', 'internal');
}

/**
 * The activity's id in this very run belongs to another question: Temporal was restored from a
 * backup that is older than the row. What the job did since is undone, as by a rewind; what it was
 * asked since waits again.
 */
async function goBack(tx: Transaction, caller: Position, asked: Asked): Promise<Job> {
  Context.current().log.warn('the history is older than the row: the job goes back', {
    jobId: caller.jobId,
  });
  await deleteResultsSince(tx, asked);
  await rewindRow(tx, caller, asked.runId, { isRestored: true });
  const locked = await lockJob(tx, caller.jobId, asked);
  if (!locked) throw superseded('The job was deleted.');
  return locked.row;
}

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

/**
 * Asked outside the transaction: Temporal must not be waited for under the row's lock. If the row
 * has changed meanwhile, the caller asks again. True if Temporal was restored and has lost the run
 * that owned the row.
 */
async function becomeOwner(
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

function superseded(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'superseded');
}
