import { ServiceError, isGrpcServiceError } from '@temporalio/client';
import { isDatabaseOutage, isTimeLimit } from '../db/outage.ts';

// gRPC CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE.
const GRPC = new Set([1, 4, 8, 14]);

/** Whether the same can work in a few seconds: an outage, or a time limit of the database. */
export function isPassing(error: unknown): boolean {
  return isOutage(error) || isTimeLimit(error);
}

/** Whether Postgres or Temporal cannot be reached, or cannot write: not the request’s fault. */
export function isOutage(error: unknown): boolean {
  // The server takes so many signals of one run; the next one begins in a moment.
  if (isGrpcServiceError(error))
    return GRPC.has(error.code) || error.details.includes('limit for signal events');
  if (error instanceof ServiceError) return isOutage(error.cause);
  return isDatabaseOutage(error);
}
