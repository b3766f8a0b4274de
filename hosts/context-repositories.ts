import { type ContextRepository, withUniqueNames } from '../shared/context-repositories.ts';
import { Problem } from '../shared/errors.ts';
import type { HostDefinition } from './host-definition.ts';
import type { HostDeps } from './host-deps.ts';
import { HOSTS, hostOf } from './registry.ts';
import { RepositoryError } from './repository-error.ts';

/** What a person writes of a repository that jobs may read. */
export interface WantedContext {
  /** A name or an address that some host knows. */
  repository: string;
  /** A branch, or the id of a commit; the default branch if left out. */
  ref?: string;
}

const COMMIT = /^[0-9a-f]{40}$/;

/**
 * The repositories as a project stores them, if the organization may read each. Throws
 * `RepositoryError`, `ConfigError`, and what `requireUsable` throws for a host.
 */
export async function locateContextRepositories(
  deps: HostDeps,
  organizationId: string,
  wanted: readonly WantedContext[],
  requireUsable: (host: HostDefinition) => void = () => undefined,
): Promise<ContextRepository[]> {
  const found: ContextRepository[] = [];
  for (const one of wanted) {
    const located = await locate(deps, organizationId, one, requireUsable);
    const isSame = ({ host, repository }: ContextRepository): boolean =>
      host === located.host && repository === located.repository;
    if (!found.some(isSame)) found.push(located);
  }
  return withUniqueNames(found);
}

async function locate(
  deps: HostDeps,
  organizationId: string,
  { repository: written, ref }: WantedContext,
  requireUsable: (host: HostDefinition) => void,
): Promise<ContextRepository> {
  for (const host of HOSTS) {
    const repository =
      (await host.repositoryAt(deps, written)) ?? host.repositoryNamed?.(deps, written);
    if (repository === undefined) continue;
    requireUsable(host);
    // What another organization has is as unknown here as what does not exist.
    await host.requireMayUse(deps, organizationId, repository).catch((error: unknown) => {
      throw error instanceof Problem ? unknown(written) : error;
    });
    const isBranch = ref !== undefined && !COMMIT.test(ref);
    const located = host.locate(deps, organizationId, repository, {
      ...(isBranch && { baseRef: ref }),
      docsFolder: '',
      readOnly: true,
    });
    const found = await located.catch((error: unknown) => {
      throw error instanceof Problem && isBranch ? noBranch(repository, ref) : error;
    });
    return {
      name: nameOf(found.repository),
      host: host.kind,
      repository: found.repository,
      ref: ref ?? found.baseRef,
    };
  }
  throw unknown(written);
}

function noBranch(repository: string, ref: string): RepositoryError {
  return new RepositoryError('ref_not_found', `${repository} has no branch ${ref}.`);
}

function unknown(written: string): RepositoryError {
  return new RepositoryError(
    'repository_not_found',
    `${written} is not a repository that this organization may use.`,
  );
}

/** Throws what `requireMayUse` of its host throws, if the organization may not read it any more. */
export async function requireMayRead(
  deps: HostDeps,
  organizationId: string,
  { host, repository }: ContextRepository,
): Promise<void> {
  await hostOf(host).requireMayUse(deps, organizationId, repository);
}

/** The last part of the repository's name, as tools name it. */
function nameOf(repository: string): string {
  return repository.slice(repository.lastIndexOf('/') + 1).toLowerCase();
}
