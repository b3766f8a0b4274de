import type { RepositoryInspection } from '../../../shared/dashboard/github.ts';
import type { Project } from '../../../shared/db/projects/projects.ts';
import { ConfigError, Problem } from '../../../shared/errors.ts';
import { FAILURES } from '../../../shared/jobs/failures.ts';
import { type InspectedRepository, inspectRepository } from '../../../hosts/github/inspect.ts';
import { requireGitHub } from '../../../hosts/github/open.ts';
import { RepositoryError } from '../../../hosts/repository-error.ts';
import type { DashboardDeps } from '../deps.ts';
import { sentenceOf } from './connection.ts';
import { ReachableRepositories } from './reachable-repositories.ts';

interface Wanted {
  baseRef?: string;
  docsFolder?: string;
}

/**
 * Tries a repository for an organization as its jobs will use it. Throws `RepositoryError`,
 * `ConfigError`.
 */
async function inspect(
  { config, pool }: DashboardDeps,
  organizationId: string,
  repository: string,
  wanted: Wanted,
): Promise<InspectedRepository> {
  return await inspectRepository(requireGitHub(config, pool, organizationId), repository, wanted);
}

/**
 * As `inspect`, where nobody has a project yet. What other organizations' installations open is as
 * unknown here as what is nowhere.
 */
async function inspectNew(
  deps: DashboardDeps,
  organizationId: string,
  repository: string,
  wanted: Wanted,
  reachable = new ReachableRepositories(deps),
): Promise<InspectedRepository> {
  if (!(await reachable.mayOpen(organizationId, repository))) {
    throw new RepositoryError(
      'repository_not_found',
      `No connected installation opens ${repository}: correct the name, give the App access to it on GitHub, or connect that account.`,
    );
  }
  return await inspect(deps, organizationId, repository, wanted);
}

/** What a project on that repository would begin with, or what is missing. */
export async function inspectForProject(
  deps: DashboardDeps,
  reachable: ReachableRepositories,
  organizationId: string,
  repository: string,
  wanted: Wanted,
): Promise<RepositoryInspection> {
  let found: RepositoryInspection['found'] = null;
  const problem = await sentenceOf(async () => {
    const { repositoryUrl: _, ...rest } = await inspectNew(
      deps,
      organizationId,
      repository,
      wanted,
      reachable,
    );
    found = rest;
    return null;
  });
  return { problem, found };
}

/**
 * What is wrong with the repository of a project on GitHub; null: nothing. `docent doctor` asks the
 * same. Throws 409 for the built-in host.
 */
export async function repositoryProblem(
  deps: DashboardDeps,
  { organizationId, host, repository, baseRef, docsFolder }: Project,
): Promise<string | null> {
  if (host !== 'github')
    throw new Problem(
      'conflict',
      'This project’s repository is on the built-in host, which is a part of Docent.',
    );
  return await sentenceOf(async () => {
    await inspect(deps, organizationId, repository, { baseRef, docsFolder });
    return null;
  });
}

/**
 * A new project's repository on GitHub. Throws 400 at the field of the form that is wrong, 409 or
 * 503 where that is not the form's fault.
 */
export async function locateOnGitHub(
  deps: DashboardDeps,
  organizationId: string,
  repository: string,
  wanted: Wanted,
): Promise<InspectedRepository> {
  return await inspectNew(deps, organizationId, repository, wanted).catch(atField);
}

/**
 * Whether a project's repository on GitHub has that branch, and can still be used. Throws as
 * `locateOnGitHub`.
 */
export async function requireBranchOnGitHub(
  deps: DashboardDeps,
  { organizationId, repository }: Project,
  baseRef: string,
): Promise<void> {
  await inspect(deps, organizationId, repository, { baseRef }).catch(atField);
}

function atField(error: unknown): never {
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
 * GitHub's refusals are sentences for people, and so are those of the settings. Throws 503 for what
 * passes by itself, 409 for what somebody has to repair.
 */
export function shownToPeople(error: unknown): never {
  if (error instanceof ConfigError) throw new Problem('conflict', error.message);
  if (!(error instanceof RepositoryError)) throw error;
  if (!FAILURES[error.type].retry) throw new Problem('conflict', error.message, { cause: error });
  const wait = error.retryAfterMs;
  throw new Problem('unavailable', error.message, {
    cause: error,
    ...(wait !== undefined && { headers: { 'retry-after': String(Math.ceil(wait / 1000)) } }),
  });
}
