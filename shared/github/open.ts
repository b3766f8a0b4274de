import type { Config } from '../config.ts';
import { countOrganizations, installationUse } from '../db/github.ts';
import type { Queryable } from '../db/pool.ts';
import { RepositoryError } from '../repository-error.ts';
import { AppCredentials } from './app.ts';
import { GitHubClient } from './client.ts';
import { type GitHubCredentials, tokenCredentials } from './credentials.ts';

/**
 * The GitHub of the configuration; undefined where neither an App nor a token is set. An App goes before a token.
 * `asking` is the id of an organization that has no project on the repository yet, and wants one. Throws `ConfigError` for a setting that cannot be.
 */
export function openGitHub(config: Config, db: Queryable, asking?: string): GitHubClient | undefined {
  const credentials = appOf(config, db, asking) ?? tokenOf(config, db);
  return credentials && new GitHubClient(config.GITHUB_API_URL, credentials);
}

/** The GitHub App of the configuration. */
export function appOf(config: Config, db: Queryable, asking?: string): AppCredentials | undefined {
  const { GITHUB_APP_ID: appId, GITHUB_APP_PRIVATE_KEY: privateKey, GITHUB_API_URL: apiUrl } = config;
  if (!appId || !privateKey) return undefined;
  return new AppCredentials({ appId, privateKey, apiUrl, refuseForeign: (installationId, repository) => refuseForeign(db, installationId, repository, asking) });
}

function tokenOf(config: Config, db: Queryable): GitHubCredentials | undefined {
  return config.GITHUB_TOKEN ? tokenCredentials(config.GITHUB_TOKEN, () => countOrganizations(db)) : undefined;
}

/** Whoever could name a repository would otherwise read it with another organization's installation. */
async function refuseForeign(db: Queryable, installationId: number, repository: string, asking: string | undefined): Promise<void> {
  const { owner, users } = await installationUse(db, installationId, repository);
  if (owner === null) {
    throw new RepositoryError('credentials_refused', `The App’s installation on ${repository} is not connected to an organization: an owner connects it in the dashboard, or you run "docent github connect ${installationId}".`);
  }
  const wanting = [...users, ...(asking === undefined ? [] : [asking])];
  if (wanting.every(each => each === owner)) return;
  if (asking === undefined ? users.includes(owner) : asking === owner) {
    // A token is the repository's, and does not know whose job it serves.
    throw new RepositoryError('credentials_refused', `Another organization, too, has a project on ${repository}, and the App’s installation there is for one: whoever runs Docent deletes the other project.`);
  }
  throw new RepositoryError('credentials_refused', `The App’s installation on ${repository} belongs to another organization than the project: connect one of your own.`);
}
