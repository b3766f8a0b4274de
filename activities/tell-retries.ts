import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityDeps } from '../agent/deps.ts';
import { addRetryEvent } from '../db/jobs/retries.ts';
import type { Position } from '../shared/jobs/activity-types.ts';
import { FAILURES, isFailureType } from '../shared/jobs/failures.ts';
import { toFailure } from './failures.ts';
import { isOutage } from './outages.ts';

/** How often a failure that will not pass comes before it ends the turn. */
const MAX_LASTING = 3;
/** After this long, a failed model call is not made again. */
const MODEL_PATIENCE_MS = 60 * 60_000;

export type Activity = (input: Position) => Promise<unknown>;

/**
 * Nothing is repeated in silence: when an attempt of an activity fails and Temporal makes another,
 * the reason becomes an event of the job, once for each reason. A failure that will not pass
 * (`lasting` in its details) becomes permanent when it has come three times in a row, and any
 * failure of a model call after an hour, but for an outage.
 */
export function tellRetries(deps: ActivityDeps, activity: Activity): Activity {
  return async input => {
    try {
      return await activity(input);
    } catch (error) {
      const failure = toFailure(error);
      if (!(failure instanceof ApplicationFailure) || !isRetried(failure)) throw error;
      const { info } = Context.current();
      if (info.activityType === 'callModel' && isLate(info) && !isOutage(error))
        throw permanent(failure);
      const since = await tell(deps, input, failure).catch((cause: unknown) => {
        // It is said with the next attempt; what fails here fails the attempt already.
        Context.current().log.warn('a retry could not be noted', { error: cause });
        return info.attempt;
      });
      const isLast = isLasting(failure) && info.attempt - since + 1 >= MAX_LASTING;
      throw isLast ? permanent(failure) : error;
    }
  };
}

function isRetried({ type, nonRetryable }: ApplicationFailure): boolean {
  return !nonRetryable && isFailureType(type) && FAILURES[type].retry;
}

/** Judged by when this attempt began: an answer may take as long as it streams. */
function isLate(info: Context['info']): boolean {
  return info.currentAttemptScheduledTimestampMs - info.scheduledTimestampMs > MODEL_PATIENCE_MS;
}

function isLasting({ details }: ApplicationFailure): boolean {
  const [first] = details ?? [];
  return (first as { lasting?: unknown } | undefined)?.lasting === true;
}

function permanent({ message, type, details }: ApplicationFailure): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    nonRetryable: true,
    ...(type && { type }),
    ...(details && { details }),
  });
}

/** Our own failures have no sentence for people. */
async function tell(
  { pool }: ActivityDeps,
  { jobId, turn, step }: Position,
  { type, message }: ApplicationFailure,
): Promise<number> {
  const { attempt, workflowExecution } = Context.current().info;
  const reason = type === 'internal' ? FAILURES.internal.sentence : message;
  return addRetryEvent(pool, jobId, workflowExecution?.runId ?? '', {
    type: 'retry',
    reason,
    attempt,
    turn,
    step,
  });
}
