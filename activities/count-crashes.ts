import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { toFailure } from './failures.ts';
import { isOutage } from './outages.ts';
import { beat } from './progress.ts';
import type { Activity } from './tell-retries.ts';

const MOST = 20;

/**
 * Counts the attempts that end in a crash of the worker or in a defect, so that a tool which takes
 * its worker down is not tried forever; an outage does not count, however long it lasts. Temporal
 * carries the count from one attempt to the next, as progress.
 */
export function countCrashes(activity: Activity): Activity {
  return async input => {
    const { info } = Context.current();
    const before = crashesIn(info.heartbeatDetails);
    if (before >= MOST) throw ApplicationFailure.nonRetryable(REPEATED, 'internal');
    // Sent at once, so that it is known if this attempt never ends. A first one need not be.
    if (info.attempt > 1) beat({ crashes: before + 1 });
    try {
      return await activity(input);
    } catch (error) {
      if (info.attempt > 1 && isOutage(error)) beat({ crashes: before });
      const failure = toFailure(error);
      if (
        before + 1 >= MOST &&
        !isOutage(error) &&
        failure instanceof ApplicationFailure &&
        failure.nonRetryable !== true
      )
        throw ApplicationFailure.nonRetryable(failure.message, failure.type);
      throw error;
    }
  };
}

const REPEATED = `The worker did not survive this call ${MOST} times.`;

function crashesIn(details: unknown): number {
  const { crashes } = (details ?? {}) as { crashes?: unknown };
  return typeof crashes === 'number' ? crashes : 0;
}
