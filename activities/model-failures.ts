import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { FAILURES, type FailureType } from '../shared/jobs/failures.ts';
import { IdleStreamError } from '../shared/models/idle-timeout.ts';
import { redact } from '../shared/secrets/redact.ts';

const MAX_RETRY_AFTER_MS = 10 * 60_000;
const RETRYABLE_TYPES: Record<string, FailureType> = {
  overloaded_error: 'model_overloaded',
  api_error: 'model_unreachable',
  rate_limit_error: 'model_rate_limited',
  timeout_error: 'model_unreachable',
  // Of Bedrock's stream.
  throttlingException: 'model_rate_limited',
  serviceUnavailableException: 'model_overloaded',
  internalServerException: 'model_unreachable',
  modelStreamErrorException: 'model_unreachable',
  modelTimeoutException: 'model_unreachable',
};

/** What goes into the ledger as the outcome of a cut or refused attempt. */
export function modelOutcome(error: unknown): string {
  if (error instanceof CancelledFailure) return 'cancelled';
  return error instanceof ApplicationFailure ? (error.type ?? 'internal') : 'internal';
}

/**
 * Maps what the SDK throws to a failure of the table: an error event in mid-stream has no status
 * but a type, a cut connection is not an APIError. Both are worth another try. Only status,
 * type and request id are kept.
 */
export function modelFailure(error: unknown): Error {
  if (error instanceof APIUserAbortError)
    return new CancelledFailure('The model call was cancelled.');
  if (error instanceof APIConnectionError)
    return failure('model_unreachable', connectionDetail(error), error);
  if (error instanceof APIError) {
    const status = error.status as number | undefined;
    const type = (error as { type?: string | null }).type ?? undefined;
    const detail = [status, type].filter(Boolean).join(' ');
    if (
      type === 'enforced_spend_limit_reached' ||
      /spend(ing)? limit|credit balance/i.test(error.message)
    )
      return failure('model_budget_spent', detail, error);
    if (header(error, 'x-should-retry') === 'false')
      return failure(
        status === 401 || status === 403 ? 'model_refused_credentials' : 'model_refused_request',
        detail,
        error,
      );
    if (status === 429) return failure('model_rate_limited', detail, error);
    if (status === 529) return failure('model_overloaded', detail, error);
    if (status === 401 || status === 403)
      return failure('model_refused_credentials', detail, error);
    if (
      status === 408 ||
      status === 409 ||
      (status !== undefined && status >= 500) ||
      header(error, 'x-should-retry') === 'true'
    )
      return failure('model_unreachable', detail, error);
    if (status === undefined && type && RETRYABLE_TYPES[type])
      return failure(RETRYABLE_TYPES[type], detail, error);
    return failure('model_refused_request', `${detail}: ${shortMessage(error)}`, error);
  }
  return failure('model_unreachable', brokenStream(error), undefined);
}

/** What became of an answer that had begun. */
function brokenStream(error: unknown): string {
  if (error instanceof IdleStreamError) return error.message;
  if (error instanceof SyntaxError) return `an event of the stream is not JSON: ${error.message}`;
  return 'the stream ended before an answer';
}

/** The SDKs of clouds fail like this without credentials; of any other cause nothing is kept. */
function connectionDetail({ message }: APIConnectionError): string {
  return /^Failed to (?:resolve|acquire) [\w ]+\./.exec(message)?.[0] ?? 'the connection failed';
}

function failure(
  type: FailureType,
  detail: string,
  error: APIError | undefined,
): ApplicationFailure {
  const wait = retryAfterMs(error);
  const requestId = error?.requestID;
  return ApplicationFailure.create({
    type,
    message: redact(`${FAILURES[type].sentence} (${detail})`),
    nonRetryable: !FAILURES[type].retry,
    ...(wait !== undefined && { nextRetryDelay: wait }),
    ...(requestId && { details: [{ requestId }] }),
  });
}

function header(error: APIError, name: string): string | null {
  return error.headers?.get(name) ?? null;
}

/** Milliseconds, from `retry-after-ms` or `retry-after` (seconds or a date), capped. */
function retryAfterMs(error: APIError | undefined): number | undefined {
  if (!error) return undefined;
  const ms = Number(header(error, 'retry-after-ms') ?? NaN);
  const seconds = header(error, 'retry-after');
  const wait = Number.isFinite(ms)
    ? ms
    : seconds === null
      ? NaN
      : Number.isFinite(Number(seconds))
        ? Number(seconds) * 1000
        : Date.parse(seconds) - Date.now();
  return Number.isFinite(wait) && wait > 0 ? Math.min(wait, MAX_RETRY_AFTER_MS) : undefined;
}

/** The API's own sentence about a bad request: it quotes our request's shape, never the key. */
function shortMessage(error: APIError): string {
  const body: { error?: { message?: string } } | undefined = error.error;
  return (body?.error?.message ?? error.message).slice(0, 300);
}
