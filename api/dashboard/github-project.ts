import type { RepositoryInspection } from '../../shared/dashboard/github.ts';
import type { Project } from '../../shared/db/projects.ts';
import { ConfigError, Problem } from '../../shared/errors.ts';
import { type InspectedRepository, inspectRepository } from '../../shared/github/inspect.ts';
import { openGitHub } from '../../shared/github/open.ts';
import { RepositoryError } from '../../shared/repository-error.ts';
import type { DashboardDeps } from './deps.ts';
import { sentenceOf } from './github-connection.ts';

interface Wanted { baseRef?: string; docsFolder?: string }

/** Tries a repository for an organization as its jobs will use it. Throws `RepositoryError`, `ConfigError`. */
async function inspect({ config, pool }: DashboardDeps, organizationId: string, repository: string, wanted: Wanted): Promise<InspectedRepository> {
  const github = openGitHub(config, pool, organizationId);
  if (!github) throw new ConfigError('GitHub is not set up: whoever runs Docent sets GITHUB_APP_ID or GITHUB_TOKEN.');
  return await inspectRepository(github, repository, wanted);
}

/** What a project on that repository would begin with, or what is missing. */
export async function inspectForProject(deps: DashboardDeps, organizationId: string, repository: string, wanted: Wanted): Promise<RepositoryInspection> {
  let found: RepositoryInspection['found'] = null;
  const problem = await sentenceOf(async () => {
    const { repositoryUrl: _, ...rest } = await inspect(deps, organizationId, repository, wanted);
    found = rest;
    return null;
  });
  return { problem, found };
}

/** What is wrong with the repository of a project on GitHub; null: nothing. `docent doctor` asks the same. Throws 409 for the built-in host. */
export async function repositoryProblem(deps: DashboardDeps, { organizationId, host, repository, baseRef, docsFolder }: Project): Promise<string | null> {
  if (host !== 'github') throw new Problem('conflict', 'This project’s repository is on the built-in host, which is a part of Docent.');
  return await sentenceOf(async () => {
    await inspect(deps, organizationId, repository, { baseRef, docsFolder });
    return null;
  });
}

/** What a form needs of its repository on GitHub. Throws 400 at the field that is wrong, 409 or 503 where that is not the form's fault. */
export async function requireOnGitHub(deps: DashboardDeps, organizationId: string, repository: string, wanted: Wanted): Promise<InspectedRepository> {
  try {
    return await inspect(deps, organizationId, repository, wanted);
  } catch (error) {
    if (error instanceof ConfigError) throw new Problem('conflict', error.message);
    if (error instanceof RepositoryError) throw problemOf(error);
    throw error;
  }
}

function problemOf({ type, message, retryAfterMs }: RepositoryError): Problem {
  if (type === 'repository_unreachable' || type === 'repository_failing') return new Problem('unavailable', message);
  if (type === 'repository_rate_limited') return new Problem('unavailable', message, { headers: { 'retry-after': String(Math.ceil((retryAfterMs ?? 60_000) / 1000)) } });
  return new Problem('invalid_request', message, { errors: [{ path: type === 'ref_not_found' ? 'baseRef' : 'source.repository', message: message.replace(/\.$/, '') }] });
}
