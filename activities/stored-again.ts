import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { untilItWorks } from '../shared/until-it-works.ts';
import { toFailure } from './failures.ts';
import { isOutage } from './outages.ts';

/** How often an answer that was paid for is stored again for another reason than an outage. */
const MOST_TRIES = 20;

/**
 * Stores what was paid for, as often as it takes: a retry of the activity would pay again. While it
 * waits the activity beats, and a cancel waits with it: the turn's report needs Postgres, too.
 */
export function storedAgain<T>(work: () => Promise<T>): Promise<T> {
  const { log } = Context.current();
  let others = 0;
  return untilItWorks(work, {
    passes: error => isOutage(error) || (!isFinal(error) && ++others < MOST_TRIES),
    onFailure: error => log.warn('an answer of the model is not stored yet', { error }),
  });
}

function isFinal(error: unknown): boolean {
  const failure = toFailure(error);
  return (
    failure instanceof CancelledFailure ||
    (failure instanceof ApplicationFailure && failure.nonRetryable === true)
  );
}
