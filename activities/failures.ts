import {
  ApplicationFailure,
  CancelledFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
} from '@temporalio/common';
import { FAILURES } from '../shared/jobs/failures.ts';
import { redact } from '../shared/secrets/redact.ts';
import { RepositoryError } from '../hosts/repository-error.ts';

/**
 * What an activity throws, as a failure with a type of the table (shared/jobs/failures.ts). Only
 * whitelisted members go into the history: the public sentence, the type, the delay; never a cause,
 * which may carry headers or paths.
 */
export function toFailure(error: unknown): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof RepositoryError) {
    return ApplicationFailure.create({
      type: error.type,
      message: redact(error.message),
      nonRetryable: !FAILURES[error.type].retry,
      ...(error.retryAfterMs !== undefined && { nextRetryDelay: error.retryAfterMs }),
    });
  }
  if (error instanceof Error && error.name === 'AbortError')
    return new CancelledFailure('The activity was cancelled.');
  const code = (error as { code?: unknown } | null)?.code;
  return ApplicationFailure.create({
    type: 'internal',
    nonRetryable: false,
    message: redact(
      error instanceof Error
        ? `${error.name}${typeof code === 'string' ? ` ${code}` : ''}: ${error.message}`.slice(
            0,
            500,
          )
        : 'unknown',
    ),
  });
}

const encoder = new DefaultFailureConverter({ encodeCommonAttributes: true });

/**
 * With its message and stack as a payload, which is encrypted as all payloads are. Only an activity's
 * failure has text of ours: a workflow passes on what its activities threw, as it came.
 */
export function withoutText(failure: Error): Error {
  if (failure instanceof ApplicationFailure)
    failure.failure = encoder.errorToFailure(failure, defaultPayloadConverter);
  return failure;
}
