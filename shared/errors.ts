/**
 * A setting is wrong; the message names it and what it must be. The CLI prints it without a stack.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * One row per way in which a request can fail: the HTTP status and the public title.
 * `detail` is the sentence that the thrower adds. Rendered as RFC 9457 by
 * `api/plugins/problems.ts`.
 */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'A valid API key is required' },
  not_signed_in: { status: 401, title: 'You are not signed in' },
  forbidden: { status: 403, title: 'This key may not do that' },
  not_permitted: { status: 403, title: 'You may not do that' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used with another body' },
  limit_exceeded: { status: 429, title: 'Limit exceeded' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemOptions {
  /** Members that broke the schema: JSON path and what they must be. */
  errors?: { path: string; message: string }[];
  /** Extra response headers, such as Retry-After. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error whose sentence may be shown to the caller. Anything else becomes `internal`. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: { path: string; message: string }[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

const MAY_PASS = new Set<ProblemCode>(['request_timeout', 'conflict', 'limit_exceeded']);

/** Whether it is a refusal that the same request meets again. */
export function isPermanent(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500 && !MAY_PASS.has(error.code);
}

/** An `invalid_request` because of one field: `message` continues the sentence that its path begins. */
export function fieldProblem(path: string, message: string): Problem {
  return new Problem('invalid_request', `${path} ${message}.`, { errors: [{ path, message }] });
}
