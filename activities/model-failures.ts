import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { FAILURES, type FailureType } from '../shared/jobs/failures.ts';
import { CutStreamError, SilentStreamError } from '../shared/models/stream-message.ts';
import { redact } from '../shared/secrets/redact.ts';

const MAX_RETRY_AFTER_MS = 10 * 60_000;
/** A failure that will hardly pass is tried again more slowly. */
const LASTING_RETRY_MS = 15_000;
/** Says no more than the status. */
const ANY_ERROR = /^(api_error$|internal (server )?error\b)/i;
const RETRYABLE_TYPES: Record<string, FailureType> = {
  overloaded_error: 'model_overloaded',
  api_error: 'model_failing',
  rate_limit_error: 'model_rate_limited',
  timeout_error: 'model_failing',
  // Of Bedrock's stream.
  throttlingException: 'model_rate_limited',
  serviceUnavailableException: 'model_overloaded',
  internalServerException: 'model_failing',
  modelStreamErrorException: 'model_failing',
  modelTimeoutException: 'model_failing',
};

/** What goes into the ledger as the outcome of a cut or refused attempt. */
export function modelOutcome(error: unknown): string {
  if (error instanceof CancelledFailure) return 'cancelled';
  return error instanceof ApplicationFailure ? (error.type ?? 'internal') : 'internal';
}

/**
 * Maps what a call of the model at `server` (host and port) rejects with to a failure of the table:
 * an error event in mid-stream has no status but a type, a cut connection is not an APIError. Both
 * are worth another try. Only status, type, request id and the server's own sentence are kept.
 */
export function modelFailure(error: unknown, server: string): Error {
  if (error instanceof APIUserAbortError)
    return new CancelledFailure('The model call was cancelled.');
  if (error instanceof APIConnectionError)
    return failure('model_unreachable', `${server}: ${connectionDetail(error)}`, error);
  if (error instanceof APIError)
    return failure(typeOf(error), `${server} answered ${answerOf(error)}`, error);
  return failure('model_unreachable', `${server}: ${brokenStream(error)}`, error);
}

function typeOf(error: APIError): FailureType {
  const status: number | undefined = error.status;
  const type: string | undefined = error.type ?? undefined;
  if (
    type === 'enforced_spend_limit_reached' ||
    /spend(ing)? limit|credit balance/i.test(error.message)
  )
    return 'model_budget_spent';
  const isKey = status === 401 || status === 403;
  if (header(error, 'x-should-retry') === 'false')
    return isKey ? 'model_refused_credentials' : 'model_refused_request';
  if (status === 429) return 'model_rate_limited';
  if (status === 529) return 'model_overloaded';
  if (isKey) return 'model_refused_credentials';
  if (
    status === 408 ||
    status === 409 ||
    (status !== undefined && status >= 500) ||
    header(error, 'x-should-retry') === 'true'
  )
    return 'model_failing';
  return (status === undefined && type && RETRYABLE_TYPES[type]) || 'model_refused_request';
}

/** Status, type and sentence, as far as there are any. */
function answerOf(error: APIError): string {
  const said = ownSentence(error);
  const type = said === error.type ? undefined : error.type;
  const head = [error.status, type].filter(Boolean).join(' ');
  return said ? `${head}: ${said}` : head;
}

/** What became of an answer that had begun. */
function brokenStream(error: unknown): string {
  if (error instanceof SilentStreamError || error instanceof CutStreamError) return error.message;
  if (error instanceof SyntaxError) return `an event of the stream is not JSON: ${error.message}`;
  return 'the stream ended before an answer';
}

/** The SDKs of clouds fail like this without credentials; of any other cause only the code is kept. */
function connectionDetail({ message, cause }: APIConnectionError): string {
  const refused = /^Failed to (?:resolve|acquire) [\w ]+\./.exec(message)?.[0];
  if (refused) return refused;
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? `the connection failed, ${code}` : 'the connection failed';
}

function failure(type: FailureType, detail: string, error: unknown): ApplicationFailure {
  const answered = error instanceof APIError ? error : undefined;
  const lasting = isLasting(error);
  const wait = retryAfterMs(answered) ?? (lasting ? LASTING_RETRY_MS : undefined);
  const requestId = answered?.requestID;
  return ApplicationFailure.create({
    type,
    message: redact(`${FAILURES[type].sentence} (${detail})`),
    nonRetryable: !FAILURES[type].retry,
    ...(wait !== undefined && { nextRetryDelay: wait }),
    ...((requestId || lasting) && {
      details: [{ ...(requestId && { requestId }), ...(lasting && { lasting }) }],
    }),
  });
}

/**
 * Whether a repetition will hardly help: what came does not follow the protocol, or a 500 with a
 * reason of the server's own. A gateway's 502 to 504 pass, and so does what the vendor says will.
 */
function isLasting(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  if (!(error instanceof APIError) || error.status !== 500) return false;
  const said = ownSentence(error);
  return said !== '' && !ANY_ERROR.test(said) && header(error, 'x-should-retry') !== 'true';
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

/**
 * What the server says of an error, '' without a sentence: it quotes our request's shape, never the
 * key. Servers other than the vendor's have it in members of their own; pages of proxies have none.
 */
function ownSentence({ error: body }: APIError): string {
  const { error, message, detail } = (body ?? {}) as Record<string, unknown>;
  const nested = (error as { message?: unknown } | null | undefined)?.message;
  const said = [nested, error, message, detail].find(each => typeof each === 'string');
  return (said ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}
