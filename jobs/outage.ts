import { ServiceError, isGrpcServiceError } from '@temporalio/client';

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
// Classes 08: connection exceptions; 53: a full disk, no memory, too many connections. 25006: read-only
// after a failover. 25P03: a transaction's time limit, which ends its connection. 57P01-05: the server
// stops or starts.
const POSTGRES = /^(08...|53...|25006|25P03|57P0[1-5])$/;
// The time limits of a lock and of a statement: one row can be the reason.
const LIMIT = /^(55P03|57014)$/;
// The driver gives these no code.
const DRIVER = new RegExp(
  '^(Connection terminated|timeout exceeded when trying to connect' +
    '|Client has encountered a connection error|Query read timeout$)',
);
// gRPC CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE.
const GRPC = new Set([1, 4, 8, 14]);

/** Whether the same can work in a few seconds: an outage, or a time limit of the database. */
export function isPassing(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return isOutage(error) || (typeof code === 'string' && LIMIT.test(code));
}

/** Whether Postgres or Temporal cannot be reached, or cannot write: not the request’s fault. */
export function isOutage(error: unknown): boolean {
  if (isGrpcServiceError(error)) return GRPC.has(error.code);
  if (error instanceof ServiceError) return isOutage(error.cause);
  if (typeof error !== 'object' || error === null) return false;
  // One error for each address that was tried.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isOutage);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    NETWORK.has(code) ||
    POSTGRES.test(code) ||
    ('message' in error && DRIVER.test(String(error.message)))
  );
}
