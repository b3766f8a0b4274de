import { Context } from '@temporalio/activity';
import {
  type Asked,
  finishActivity,
  isDuplicateResult,
  type JobChange,
  lockJob,
} from '../db/jobs/activity-results.ts';
import type { Job } from '../db/jobs/job.ts';
import { type Queryable, transaction, type Transaction } from '../db/pool.ts';
import type { StatementPart } from '../db/statement-part.ts';
import type { JobEvent } from '../shared/jobs/job.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { askedNow, becomeOwner, goBack, superseded } from './open-activity.ts';
import type { Position, Stamp } from '../shared/jobs/activity-types.ts';

/** What an activity did: its result for the workflow, and what goes with it in the same commit. */
export interface Done<R extends object> {
  result: R;
  change?: JobChange;
  events?: JobEvent[];
  parts?: StatementPart[];
}

/**
 * What an activity does under the row's lock. `isRestored`: Temporal was restored from a backup, so
 * that this history knows nothing of what the job did later; the row was just taken back to it.
 */
type Work<R extends object> = (tx: Transaction, row: Job, isRestored: boolean) => Promise<Done<R>>;

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
  work: Done<R> | Work<R>,
): Promise<R & { at: Stamp }> {
  const asked = askedNow(caller);
  if (typeof work !== 'function') {
    const at = await unlessStored(finish(deps.pool, caller, asked, work));
    if (at) return { ...work.result, at };
  }
  let isRestored = false;
  for (;;) {
    const attempt = transaction(deps.pool, async tx => {
      const locked = await lockJob(tx, caller.jobId, asked);
      if (!locked) throw superseded('The job was deleted.');
      const { stored } = locked;
      if (stored?.isSame) return { result: stored.result as R & { at: Stamp } };
      // A row that no run has yet belongs to the first that comes.
      const begins = locked.row.runId === null && !stored;
      if (!begins && locked.row.runId !== asked.runId) return { owner: locked.row.runId };
      const row = stored ? await goBack(tx, caller, asked) : locked.row;
      const isBack = isRestored || stored !== null;
      const done = typeof work === 'function' ? await work(tx, row, isBack) : work;
      const at = await finish(tx, caller, asked, done, begins);
      if (!at) throw new Error('the job’s row is gone');
      return { result: { ...done.result, at } };
    });
    const outcome = await unlessStored(attempt);
    if (!outcome) continue;
    if ('result' in outcome) return outcome.result;
    isRestored = await becomeOwner(deps, caller, outcome.owner, asked.runId);
  }
}

/**
 * Undefined if another worker has stored the result since: it had the row's lock, and this one
 * waited for it with a snapshot in which there was none yet.
 */
async function unlessStored<T>(attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (isDuplicateResult(error)) return undefined;
    throw error;
  }
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
