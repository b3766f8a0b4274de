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
// Class 08: connection exceptions. 53300: too many connections. 57P01-03: server stops or starts.
const POSTGRES = /^(08...|53300|57P0[123])$/;
// The driver gives these no code.
const DRIVER = new RegExp(
  '^(Connection terminated|timeout exceeded when trying to connect' +
    '|Client has encountered a connection error)',
);
// gRPC CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE.
const GRPC = new Set([1, 4, 8, 14]);

/** Whether an error means that the caller left before its request or response was whole. */
export function isDeparture(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  // Node's words for a request that ends early; a server that resets us is a "read ECONNRESET".
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || (code === 'ECONNRESET' && message === 'aborted');
}

/** Whether an error means that Postgres or Temporal is unreachable, which is 503 and not 500. */
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
