import { redact } from '../../shared/secrets/redact.ts';
import { LONGEST_WAIT_MS, RepositoryError } from '../repository-error.ts';
import { ForeignRedirect } from './fetch.ts';

/** What of a refused call decides about it; Octokit's `RequestError` has this shape. */
interface RefusedCall {
  status: number;
  response?: { headers: Record<string, string | number | undefined>; data: unknown };
  cause?: unknown;
}

/** GitHub asks to wait at least so long after a secondary limit that names no time. */
const SECONDARY_LIMIT_MS = 60_000;

/**
 * What GitHub's refusal means, as a `RepositoryError` whose sentence names the one thing to repair.
 * Only GitHub's own message is read of the answer: the token is in headers and request.
 */
export function repositoryError(error: unknown, repository: string): Error {
  if (error instanceof RepositoryError) return error;
  if (!isRefusedCall(error)) return error instanceof Error ? error : new Error('unknown');
  const redirect = error.cause instanceof ForeignRedirect ? error.cause : undefined;
  if (redirect)
    return new RepositoryError(
      'repository_not_found',
      `GitHub sends the request for ${repository} on to ${redirect.host}, which is not ` +
        'followed: name the repository’s present address.',
    );
  if (!error.response)
    return new RepositoryError(
      'repository_unreachable',
      `GitHub cannot be reached: ${networkReason(error.cause)}.`,
    );
  const said = messageOf(error.response.data);
  const wait = waitOf(error.status, error.response.headers, said);
  if (wait !== undefined) {
    return new RepositoryError(
      'repository_rate_limited',
      `GitHub is limiting our requests for ${repository} (${error.status}): try again in ` +
        `${minutes(wait)}.`,
      { retryAfterMs: wait },
    );
  }
  return refusal(error.status, said, repository);
}

function minutes(ms: number): string {
  const count = Math.ceil(ms / 60_000);
  return count === 1 ? 'a minute' : `${count} minutes`;
}

function refusal(status: number, said: string, repository: string): RepositoryError {
  const quoted = said && ` GitHub says: ${said}`;
  if (status >= 500)
    return new RepositoryError(
      'repository_failing',
      `GitHub answers with status ${status}: try again once it has recovered.`,
    );
  if (status === 401)
    return new RepositoryError(
      'credentials_refused',
      `GitHub refuses the credentials for ${repository}: they are wrong, expired or revoked; ` +
        'set new ones.',
    );
  if (status === 404 || status === 410) {
    return new RepositoryError(
      'repository_not_found',
      `GitHub has no repository ${repository}, or the credentials may not see it: correct the ` +
        'name, or give the App or token access to it.',
    );
  }
  if (status === 451)
    return new RepositoryError(
      'repository_not_found',
      `GitHub has blocked ${repository} for legal reasons (451): point the project at another ` +
        'repository.',
    );
  if (status === 409 && /empty/i.test(said))
    return new RepositoryError(
      'repository_empty',
      `The repository ${repository} has no commit yet: push one, then try again.`,
    );
  if (status === 403) return forbidden(said, repository);
  return new RepositoryError(
    'push_refused',
    `GitHub refuses the request for ${repository} (${status}).${quoted}`,
  );
}

/** 403 means many things; GitHub's message tells which. */
function forbidden(said: string, repository: string): RepositoryError {
  if (/suspended/i.test(said))
    return new RepositoryError('credentials_refused', suspended(repository));
  if (/archived|read-only/i.test(said)) return archived(repository);
  if (/disabled|access blocked/i.test(said)) return disabled(repository);
  if (/SAML/i.test(said))
    return new RepositoryError(
      'credentials_refused',
      `The organization of ${repository} requires single sign-on: authorize the token for it in ` +
        'GitHub’s settings.',
    );
  if (/IP (address|allow list)/i.test(said))
    return new RepositoryError(
      'credentials_refused',
      `The organization of ${repository} allows listed addresses only: add Docent’s to its IP ` +
        'allow list.',
    );
  if (/not accessible by|must have|permission|write access/i.test(said))
    return writeMissing(repository);
  return new RepositoryError(
    'credentials_refused',
    `GitHub forbids the request for ${repository}: check what the App or token may do ` +
      `there.${said && ` GitHub says: ${said}`}`,
  );
}

export function archived(repository: string): RepositoryError {
  return new RepositoryError(
    'repository_archived',
    `The repository ${repository} is archived and read-only: unarchive it, or point the ` +
      'project elsewhere.',
  );
}

export function disabled(repository: string): RepositoryError {
  return new RepositoryError(
    'repository_archived',
    `GitHub has disabled the repository ${repository}: ask GitHub’s support, or point the ` +
      'project elsewhere.',
  );
}

/** All that a job needs, as GitHub's pages call it. */
export const WRITE_ACCESS = 'read and write access to Contents and Pull requests';

/** `where`: the account, or a repository on it. */
export function suspended(where: string): string {
  return `The App’s installation on ${where} is suspended: unsuspend it in GitHub’s settings.`;
}

export function writeMissing(repository: string): RepositoryError {
  return new RepositoryError(
    'credentials_refused',
    `The App or token may not write to ${repository}: give it ${WRITE_ACCESS} there.`,
  );
}

/**
 * Milliseconds to wait where the refusal is a limit: primary, secondary, or whatever names a time.
 */
function waitOf(
  status: number,
  headers: Record<string, string | number | undefined>,
  said: string,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers['retry-after']);
  if (after > 0) return Math.min(after * 1000, LONGEST_WAIT_MS);
  if (String(headers['x-ratelimit-remaining']) === '0') {
    const reset = Number(headers['x-ratelimit-reset']) * 1000 - Date.now();
    return Math.min(
      Math.max(Number.isFinite(reset) ? reset : SECONDARY_LIMIT_MS, 1000),
      LONGEST_WAIT_MS,
    );
  }
  return status === 429 || /secondary rate limit|abuse detection/i.test(said)
    ? SECONDARY_LIMIT_MS
    : undefined;
}

/**
 * GitHub's message and the messages of its `errors`, short and without what looks like a secret.
 */
export function messageOf(data: unknown): string {
  const { message, errors } = (data ?? {}) as { message?: unknown; errors?: unknown };
  const details = Array.isArray(errors)
    ? errors.map(each =>
        typeof each === 'string' ? each : (each as { message?: unknown } | null)?.message,
      )
    : [];
  return redact([message, ...details].filter(part => typeof part === 'string').join(': '))
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}

/** GitHub's message of a refusal with this status, or undefined where it is something else. */
export function refusedWith(error: unknown, status: number): string | undefined {
  return isRefusedCall(error) && error.status === status && error.response
    ? messageOf(error.response.data)
    : undefined;
}

function isRefusedCall(error: unknown): error is RefusedCall & Error {
  return error instanceof Error && typeof (error as { status?: unknown }).status === 'number';
}

/** The system's code only (ECONNREFUSED): messages of the network layer may quote the request. */
function networkReason(error: unknown): string {
  const {
    name,
    cause,
    code = (cause as { code?: unknown } | undefined)?.code,
  } = (error ?? {}) as { name?: string; cause?: unknown; code?: unknown };
  if (typeof code === 'string') return code;
  return name === 'TimeoutError' ? 'it does not answer in time' : 'the connection failed';
}
