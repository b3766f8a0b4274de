import type { Problem, ProblemField } from './openapi.ts';

interface Facts {
  code: string;
  status?: number;
  type?: string | undefined;
  requestId?: string | undefined;
  fields?: ProblemField[] | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Whatever goes wrong, but for an abort: that throws the reason of its signal. */
export class DocentError extends Error {
  override readonly name = 'DocentError';
  /** The HTTP status; 0 if there was no answer, or if an answer that had begun was cut off. */
  readonly status: number;
  /**
   * The end of `type`, such as `limit-exceeded`. Without an answer of Docent's: `unreachable`,
   * `timeout`, `interrupted`, `answer-failed`, or `not-docent` if something else answered.
   */
  readonly code: string;
  /** The `type` of the problem document. */
  readonly type: string | undefined;
  /** Quote it when you ask for help: the server's log has it, too. */
  readonly requestId: string | undefined;
  /** Of an invalid request: each member that was not accepted. */
  readonly fields: ProblemField[];
  /** Seconds until the request may succeed, if the server said so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, facts: Facts) {
    super(message, { cause: facts.cause });
    this.status = facts.status ?? 0;
    this.code = facts.code;
    this.type = facts.type;
    this.requestId = facts.requestId;
    this.fields = facts.fields ?? [];
    this.retryAfter = facts.retryAfter;
  }
}

/** The error of an answer that is not the one that was asked for. */
export async function refusal(response: Response): Promise<DocentError> {
  const { status, headers } = response;
  const contentType = headers.get('content-type')?.split(';')[0] ?? 'no content';
  const facts = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
  };
  const problem =
    !response.ok && contentType === 'application/problem+json'
      ? ((await response.json().catch(() => undefined)) as Problem | undefined)
      : undefined;
  if (problem === undefined) await response.body?.cancel().catch(() => {});
  if (!problem || !/^urn:docent:/.test(problem.type))
    return new DocentError(
      `What answers there is not Docent's API (${status}, ${contentType}). ` +
        'Check baseUrl, and what is in front of it.',
      { ...facts, code: 'not-docent' },
    );
  const { type, detail, errors: fields } = problem;
  return new DocentError(detail, { ...facts, code: type.split(':').at(-1)!, type, fields });
}

/** A proxy may write a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
