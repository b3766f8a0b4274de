import { ServiceError } from '@temporalio/client';
import { isDatabaseOutage, isTimeLimit } from '../db/outage.ts';
import { RepositoryError } from '../hosts/repository-error.ts';
import { FAILURES } from '../shared/jobs/failures.ts';

/** Whether an activity failed because Postgres, Temporal or the repository host is away. */
export function isOutage(error: unknown): boolean {
  return (
    isDatabaseOutage(error) ||
    isTimeLimit(error) ||
    error instanceof ServiceError ||
    (error instanceof RepositoryError && FAILURES[error.type].retry)
  );
}
