import { ApplicationFailure } from '@temporalio/common';
import { isPermanent } from '../shared/errors.ts';

type Activities<T> = { [K in keyof T]: (input: never) => Promise<unknown> };

/** The same activities, except that a refusal which no repeat can change is not repeated. */
export function endOnPermanent<T extends Activities<T>>(activities: T): T {
  const ending = Object.entries<(input: never) => Promise<unknown>>(activities).map(
    ([name, work]) => [name, (input: never) => work(input).catch(refuse)] as const,
  );
  return Object.fromEntries(ending) as unknown as T;
}

function refuse(error: unknown): never {
  if (!isPermanent(error)) throw error;
  throw ApplicationFailure.nonRetryable(error.message, 'internal');
}
