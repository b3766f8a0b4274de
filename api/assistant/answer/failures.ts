import { APIError } from '@anthropic-ai/sdk';

/** A failed answer whose cause is not an error of the model's API. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly reason: 'declined' | 'empty' | 'slow';

  constructor(reason: AnswerError['reason']) {
    super(`the answer was ${reason}`);
    this.reason = reason;
  }
}

/** Clouds refuse by status, and Bedrock's stream with types of its own. */
const BUSY = new Set<string>([
  ...['rate_limit_error', 'overloaded_error', 'http_429', 'http_529'],
  ...['throttlingException', 'serviceUnavailableException'],
]);

/** The sentence for the reader. Detail goes to the log. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AnswerError && error.reason === 'declined')
    return 'The assistant declined to answer this.';
  if (error instanceof AnswerError && error.reason === 'slow')
    return 'The answer took too long. Please try again.';
  if (error instanceof APIError && BUSY.has(outcomeOf(error)))
    return 'The assistant is busy just now. Please try again in a moment.';
  return 'The assistant could not finish this answer. Please try again.';
}

/** The outcome of a failed model call, for the ledger. */
export function outcomeOf(error: unknown): string {
  if (error instanceof APIError)
    return error.type ?? (error.status === undefined ? 'connection_error' : `http_${error.status}`);
  return 'cut';
}
