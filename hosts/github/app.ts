import { createPrivateKey } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import type { Octokit } from '@octokit/rest';
import { ConfigError } from '../../shared/errors.ts';
import { RepositoryError } from '../repository-error.ts';
import type { GitHubCredentials } from './credentials.ts';
import { refusedWith, repositoryError, suspended, WRITE_ACCESS } from './failures.ts';
import { openOctokit } from './octokit.ts';
import { type RepositoryName, repositoryName } from './site.ts';

/**
 * All that a job needs. Without `workflows`, GitHub itself refuses a push that touches a workflow.
 */
const PERMISSIONS = { contents: 'write', pull_requests: 'write', metadata: 'read' } as const;
/** All that reading needs. */
const READING = { contents: 'read', metadata: 'read' } as const;
/** A token is used for at most so long before its end, so that no push outlives it. */
const SAFETY_MS = 10 * 60_000;

export interface AppOptions {
  appId: string;
  /** PEM, as GitHub hands it out; line breaks may be written as `\n`. */
  privateKey: string;
  apiUrl: string;
  /**
   * Throws where the installation does not belong to the one organization whose projects name the
   * repository.
   */
  refuseForeign(installationId: number, repository: string): Promise<void>;
  /** Its tokens can read, and nothing else. */
  readOnly?: boolean;
}

export interface Installation {
  /** Login of the user or organization that it is on. */
  account: string;
  /** Its settings on GitHub. */
  url: string;
  /** What keeps jobs from working with it: one sentence with the thing to repair. */
  problem: string | null;
}

interface Minted {
  installationId: number;
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Tokens of a GitHub App's installations, each for one repository. They live in memory, for less
 * than GitHub's hour.
 */
export class AppCredentials implements GitHubCredentials {
  readonly kind = 'app';
  readonly #options: AppOptions;
  /** As the App itself: each request gets a short-lived token of its own, signed with the key. */
  readonly #app: Octokit;
  readonly #minted = new Map<string, Promise<Minted>>();

  /** Throws `ConfigError` where the key is none. */
  constructor(options: AppOptions) {
    const auth = { appId: options.appId, privateKey: readKey(options.privateKey) };
    this.#options = options;
    this.#app = openOctokit(options.apiUrl, { authStrategy: createAppAuth, auth });
  }

  async token(repository: string): Promise<string> {
    const known = await this.#minted.get(repository);
    if (known && known.expiresAt - SAFETY_MS > Date.now()) {
      // Disconnecting takes effect at once: a token would work for most of an hour.
      await this.#options.refuseForeign(known.installationId, repository);
      return known.token;
    }
    const minted = this.#mint(repository);
    this.#minted.set(repository, minted);
    minted.catch(() => {
      if (this.#minted.get(repository) === minted) this.#minted.delete(repository);
    });
    return (await minted).token;
  }

  forget(repository: string): boolean {
    return this.#minted.delete(repository);
  }

  async login(): Promise<string> {
    return `${(await this.describe()).slug}[bot]`;
  }

  /**
   * The App as GitHub knows it by its key: `url` is its page, `problem` as an installation's.
   * Throws `RepositoryError`.
   */
  async describe(): Promise<{ slug: string; url: string; problem: string | null }> {
    const { data } = await this.#app.rest.apps.getAuthenticated().catch((error: unknown) => {
      throw this.#explain(error, 'the App');
    });
    const slug = data?.slug ?? '';
    return {
      slug,
      url: data?.html_url ?? '',
      problem: mayPublish(data?.permissions)
        ? null
        : `The App ${slug} lacks a permission: give it ${WRITE_ACCESS}.`,
    };
  }

  /** An installation as it is now; undefined where it was removed. Throws `RepositoryError`. */
  async findInstallation(id: number): Promise<Installation | undefined> {
    try {
      const { data } = await this.#app.rest.apps.getInstallation({ installation_id: id });
      const account = data.account && 'login' in data.account ? data.account.login : '';
      const lacks =
        `The App’s installation on ${account} lacks a permission: ` +
        `accept ${WRITE_ACCESS} in its settings on GitHub.`;
      return {
        account,
        url: data.html_url,
        problem: data.suspended_at
          ? suspended(account)
          : mayPublish(data.permissions)
            ? null
            : lacks,
      };
    } catch (error) {
      if (refusedWith(error, 404) !== undefined) return undefined;
      throw this.#explain(error, `installation ${id}`);
    }
  }

  /**
   * A token that lists the repositories of an installation, and opens none of them. `account` is
   * for the sentence of the `RepositoryError`.
   */
  async listingToken(installationId: number, account: string): Promise<string> {
    const { data } = await this.#app.rest.apps
      .createInstallationAccessToken({
        installation_id: installationId,
        permissions: { metadata: 'read' },
      })
      .catch((error: unknown) => {
        throw this.#explain(error, account);
      });
    return data.token;
  }

  async #mint(repository: string): Promise<Minted> {
    const name = repositoryName(repository);
    if (!name)
      throw new RepositoryError(
        'repository_not_found',
        `"${repository}" is not a repository on GitHub: it must have the form owner/name.`,
      );
    for (let tries = 1; ; tries++) {
      const { data, url } = await this.#app.rest.apps
        .getRepoInstallation(name)
        .catch((error: unknown) => {
          throw this.#explain(error, repository);
        });
      await this.#options.refuseForeign(data.id, repository);
      try {
        return await this.#mintFor(data.id, name, url);
      } catch (error) {
        // Renamed or transferred since it was looked up: what was found has gone.
        if (tries > 1 || !isGone(error)) throw this.#explain(error, repository);
      }
    }
  }

  async #mintFor(installationId: number, { repo }: RepositoryName, url: string): Promise<Minted> {
    // A renamed repository is found by a redirect to its id, and its old name would be unknown to
    // what follows.
    const renamed = /\/repositories\/(\d+)\//.exec(url)?.[1];
    const { data } = await this.#app.rest.apps.createInstallationAccessToken({
      installation_id: installationId,
      permissions: this.#options.readOnly ? READING : PERMISSIONS,
      ...(renamed ? { repository_ids: [Number(renamed)] } : { repositories: [repo] }),
    });
    return { installationId, token: data.token, expiresAt: Date.parse(data.expires_at) };
  }

  /** Refusals mean other things to an App than to its tokens. */
  #explain(error: unknown, repository: string): Error {
    if (refusedWith(error, 401) !== undefined)
      return new RepositoryError(
        'credentials_refused',
        'GitHub does not know the App: check GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, ' +
          'and this machine’s clock.',
      );
    if (refusedWith(error, 404) !== undefined)
      return new RepositoryError(
        'repository_not_found',
        `The GitHub App is not installed on ${repository}, or there is no such repository: ` +
          'install the App there, or correct the name.',
      );
    const said = refusedWith(error, 422);
    if (said !== undefined && /permission/i.test(said))
      return new RepositoryError(
        'credentials_refused',
        `The GitHub App lacks a permission on ${repository}: give it ${WRITE_ACCESS}, ` +
          'and accept that in the installation’s settings.',
      );
    if (said !== undefined)
      return new RepositoryError(
        'repository_not_found',
        `The GitHub App’s installation has no access to ${repository}: ` +
          'add the repository in the installation’s settings.',
      );
    return repositoryError(error, repository);
  }
}

/** Whether an installation has no such repository, or is none any more. */
function isGone(error: unknown): boolean {
  const said = refusedWith(error, 422);
  return said === undefined ? refusedWith(error, 404) !== undefined : !/permission/i.test(said);
}

function mayPublish(granted: { contents?: string; pull_requests?: string } | null = {}): boolean {
  return (
    granted?.contents === PERMISSIONS.contents &&
    granted.pull_requests === PERMISSIONS.pull_requests
  );
}

/** In the one format that Web Crypto reads. */
function readKey(pem: string): string {
  try {
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'));
    return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    throw new ConfigError(
      'GITHUB_APP_PRIVATE_KEY is not a private key: give the whole PEM file that GitHub issued.',
    );
  }
}
