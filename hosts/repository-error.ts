/**
 * Why a repository host did not do what was asked. `type` is stable: it is the Temporal failure
 * type, and decides whether the activity is retried and what v1 shows (activities/failures.ts).
 */
export type RepositoryErrorType =
  | 'repository_not_found'
  | 'repository_empty'
  | 'repository_archived'
  | 'ref_not_found'
  | 'credentials_refused'
  | 'push_refused'
  | 'branch_moved'
  | 'repository_unreachable'
  | 'repository_failing'
  | 'repository_rate_limited';

/** A host that asks to wait for longer is asked again after an hour. */
export const LONGEST_WAIT_MS = 60 * 60_000;

export class RepositoryError extends Error {
  override readonly name = 'RepositoryError';
  readonly type: RepositoryErrorType;
  /** Milliseconds to wait before the next try, where the host said so. */
  readonly retryAfterMs: number | undefined;

  /**
   * `sentence` says what is wrong and what to repair; it is shown to people and must hold no
   * secret.
   */
  constructor(
    type: RepositoryErrorType,
    sentence: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = type;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The refusal of a branch to which no job may push, even if our credentials could. */
export function reserved(repository: string, branch: string): RepositoryError {
  return new RepositoryError(
    'push_refused',
    `The branch ${branch} of ${repository} is the base, the default or a protected one, which ` +
      'Docent never pushes to: name another branch for the job, or exempt docent/* from a rule ' +
      'that protects every branch.',
  );
}
