import type { Config } from '../../shared/config.ts';
import { countOrganizations, installationUse } from '../../db/github/installations.ts';
import type { Queryable } from '../../db/pool.ts';
import { ConfigError } from '../../shared/errors.ts';
import { RepositoryError } from '../repository-error.ts';
import { AppCredentials } from './app.ts';
import { KIND } from './site.ts';
import { GitHubClient } from './client.ts';
import { type GitHubCredentials, tokenCredentials } from './credentials.ts';

/**
 * What keeps the configuration from opening GitHub: one sentence with the thing to set; null:
 * nothing.
 */
export function gitHubProblem({
  GITHUB_APP_ID: id,
  GITHUB_APP_PRIVATE_KEY: key,
  GITHUB_TOKEN: token,
}: Config): string | null {
  if (token || (id && key)) return null;
  if (id)
    return 'GITHUB_APP_ID is set without GITHUB_APP_PRIVATE_KEY: set the App’s private key, too.';
  if (key) return 'GITHUB_APP_PRIVATE_KEY is set without GITHUB_APP_ID: set the App’s id, too.';
  return 'GitHub is not set up: create an App in the dashboard, or set GITHUB_APP_ID or GITHUB_TOKEN.';
}

/**
 * The GitHub of the configuration; undefined where there is a `gitHubProblem`. An App goes before a
 * token.
 * `asking` is the id of an organization that has no project on the repository yet, and wants one.
 * With `readOnly` an App's tokens can only read. Throws `ConfigError` for a setting that cannot be.
 */
export function openGitHub(
  config: Config,
  db: Queryable,
  asking?: string,
  readOnly = false,
): GitHubClient | undefined {
  const credentials = appOf(config, db, asking, readOnly) ?? tokenOf(config, db);
  return credentials && new GitHubClient(config.GITHUB_API_URL, credentials);
}

/**
 * As `openGitHub`, where nothing goes without it: throws `ConfigError` where there is a
 * `gitHubProblem`.
 */
export function requireGitHub(
  config: Config,
  db: Queryable,
  asking?: string,
  readOnly = false,
): GitHubClient {
  const problem = gitHubProblem(config);
  if (problem !== null) throw new ConfigError(problem);
  return openGitHub(config, db, asking, readOnly)!;
}

/** The GitHub App of the configuration. */
export function appOf(
  config: Config,
  db: Queryable,
  asking?: string,
  readOnly = false,
): AppCredentials | undefined {
  const {
    GITHUB_APP_ID: appId,
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_API_URL: apiUrl,
  } = config;
  if (!appId || !privateKey) return undefined;
  return new AppCredentials({
    appId,
    privateKey,
    apiUrl,
    readOnly,
    refuseForeign: (installationId, repository) =>
      refuseForeign(db, installationId, repository, asking),
  });
}

function tokenOf(config: Config, db: Queryable): GitHubCredentials | undefined {
  return config.GITHUB_TOKEN
    ? tokenCredentials(config.GITHUB_TOKEN, () => countOrganizations(db))
    : undefined;
}

/**
 * Without this, anyone who can name a repository could read it with another organization's
 * installation.
 */
async function refuseForeign(
  db: Queryable,
  installationId: number,
  repository: string,
  asking: string | undefined,
): Promise<void> {
  const { owner, users } = await installationUse(db, KIND, installationId, repository);
  if (owner === null) {
    throw new RepositoryError(
      'credentials_refused',
      `The App’s installation on ${repository} is not connected to an organization: an owner ` +
        `connects it in the dashboard, or you run "docent github connect ${installationId}".`,
    );
  }
  const wanting = [...users, ...(asking === undefined ? [] : [asking])];
  if (wanting.every(each => each === owner)) return;
  if (asking === undefined ? users.includes(owner) : asking === owner) {
    // A token is the repository's, and does not know whose job it serves.
    throw new RepositoryError(
      'credentials_refused',
      `Another organization, too, has a project on ${repository}, and the App’s installation ` +
        'there is for one: the operator of Docent has to delete the other project.',
    );
  }
  throw new RepositoryError(
    'credentials_refused',
    `The App’s installation on ${repository} belongs to another organization than the ` +
      'project: connect one of your own.',
  );
}
