import {
  locateContextRepositories,
  type WantedContext,
} from '../../../hosts/context-repositories.ts';
import type { HostedPullRequests } from '../../../hosts/hosted-pull-requests.ts';
import type { HostDefinition } from '../../../hosts/host-definition.ts';
import { hostOf } from '../../../hosts/registry.ts';
import { RepositoryError } from '../../../hosts/repository-error.ts';
import type { ContextRepository } from '../../../shared/context-repositories.ts';
import type { Config } from '../../../shared/config.ts';
import type { Project } from '../../../db/projects/projects.ts';
import { ConfigError, Problem } from '../../../shared/errors.ts';
import { FAILURES } from '../../../shared/jobs/failures.ts';
import type { DashboardDeps } from '../deps.ts';
import { retryAfter } from '../../../shared/retry-after.ts';

/** A project's host, if this process can use it. Throws 409. */
export function usableHost({ config }: { config: Config }, kind: string): HostDefinition {
  return usable({ config }, hostOf(kind));
}

/** Throws 409 if this process cannot use the host. */
export function usable<H extends HostDefinition>({ config }: { config: Config }, host: H): H {
  const problem = host.problem(config);
  if (problem !== null) throw new Problem('conflict', problem);
  return host;
}

/** The pull requests of a project whose host keeps them here. Throws 404, 409. */
export function pullRequestsOf(
  deps: { config: Config },
  { host: kind }: Project,
): HostedPullRequests {
  const { name, pullRequests } = hostOf(kind);
  if (!pullRequests)
    throw new Problem('not_found', `The pull requests of this project are on ${name}.`);
  usableHost(deps, kind);
  return pullRequests;
}

/**
 * A host's refusal at the field of the form that is wrong (400); 409 or 503 if that is not the
 * form's fault.
 */
export function atField(error: unknown): never {
  if (!(error instanceof RepositoryError) || FAILURES[error.type].retry)
    return shownToPeople(error);
  const { type, message } = error;
  throw new Problem('invalid_request', message, {
    errors: [
      {
        path: type === 'ref_not_found' ? 'baseRef' : 'source.repository',
        message: message.replace(/\.$/, ''),
      },
    ],
  });
}

/**
 * The repositories that a project's jobs may read, as it stores them. Throws 400 at the field, 409,
 * 503.
 */
export async function usableContext(
  deps: DashboardDeps,
  organizationId: string,
  wanted: readonly WantedContext[],
): Promise<ContextRepository[]> {
  const located = locateContextRepositories(deps, organizationId, wanted, host => {
    usable(deps, host);
  });
  return await located.catch((error: unknown) => {
    if (!(error instanceof RepositoryError) || FAILURES[error.type].retry)
      return shownToPeople(error);
    const message = error.message.replace(/\.$/, '');
    throw new Problem('invalid_request', error.message, {
      errors: [{ path: 'contextRepositories', message }],
    });
  });
}

/**
 * A host's refusals are sentences for people, and so are those of the settings. Throws 503 for what
 * passes by itself, 409 for what a person has to repair.
 */
export function shownToPeople(error: unknown): never {
  if (error instanceof ConfigError) throw new Problem('conflict', error.message);
  if (!(error instanceof RepositoryError)) throw error;
  if (!FAILURES[error.type].retry) throw new Problem('conflict', error.message, { cause: error });
  const wait = error.retryAfterMs;
  throw new Problem('unavailable', error.message, {
    cause: error,
    ...(wait !== undefined && { headers: retryAfter(Math.ceil(wait / 1000)) }),
  });
}

/** What a check found; a refusal's own sentence if the host refuses. */
export async function problemOf(check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof RepositoryError || error instanceof ConfigError) return error.message;
    throw error;
  }
}
