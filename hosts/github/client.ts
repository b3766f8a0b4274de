import type { Octokit } from '@octokit/rest';
import { RepositoryError } from '../repository-error.ts';
import type { GitHubCredentials } from './credentials.ts';
import { repositoryError } from './failures.ts';
import { openOctokit } from './octokit.ts';
import { type GitHubSite, gitHubSite, type RepositoryName, repositoryName } from './site.ts';

const REFUSALS = new Set<string>(['credentials_refused', 'repository_not_found']);

/** GitHub, by REST, one repository at a time. */
export class GitHubClient {
  readonly site: GitHubSite;
  readonly credentials: GitHubCredentials;

  constructor(apiUrl: string, credentials: GitHubCredentials) {
    this.site = gitHubSite(apiUrl);
    this.credentials = credentials;
  }

  /**
   * Runs a call with a token for this repository. Throws `RepositoryError`, whatever Octokit threw.
   */
  async call<T>(
    repository: string,
    work: (octokit: Octokit, name: RepositoryName) => Promise<T>,
  ): Promise<T> {
    const name = repositoryName(repository);
    if (!name)
      throw new RepositoryError(
        'repository_not_found',
        `"${repository}" is not a repository on GitHub: it must have the form owner/name.`,
      );
    return await this.withToken(repository, async token => {
      try {
        return await work(openOctokit(this.site.apiUrl, token), name);
      } catch (error) {
        throw repositoryError(error, repository);
      }
    });
  }

  /**
   * Runs `work` with a token for this repository, and once more with a fresh one if GitHub refuses
   * the first: it may have been revoked, or the repository transferred to another account.
   */
  async withToken<T>(repository: string, work: (token: string) => Promise<T>): Promise<T> {
    try {
      return await work(await this.credentials.token(repository));
    } catch (error) {
      const refused = error instanceof RepositoryError && REFUSALS.has(error.type);
      if (!refused || !this.credentials.forget(repository)) throw error;
      return await work(await this.credentials.token(repository));
    }
  }
}
