import { listInstallations } from '../../db/github/installations.ts';
import type { AppCredentials } from './app.ts';
import type { GitHubClient } from './client.ts';
import { repositoryError } from './failures.ts';
import { openOctokit } from './octokit.ts';
import { appOf, requireGitHub } from './open.ts';
import type { HostDeps } from '../host-deps.ts';

export interface ReachableRepository {
  /** "owner/name". */
  name: string;
  private: boolean;
  archived: boolean;
}

const PAGE = 30;
/**
 * GitHub cannot search among an installation's repositories: all are read, and then searched here
 * at every letter that a person types.
 */
const KEPT_MS = 60_000;

/** The repositories that an organization can choose from, kept for a minute. */
export class ReachableRepositories {
  readonly #deps: Pick<HostDeps, 'config' | 'pool'>;
  readonly #kept = new Map<string, { until: number; list: Promise<ReachableRepository[]> }>();

  constructor(deps: Pick<HostDeps, 'config' | 'pool'>) {
    this.#deps = deps;
  }

  /** By name. Throws `RepositoryError`, `ConfigError`. */
  async list(organizationId: string): Promise<ReachableRepository[]> {
    const now = Date.now();
    for (const [id, { until }] of this.#kept) if (until < now) this.#kept.delete(id);
    const kept = this.#kept.get(organizationId);
    if (kept) return await kept.list;
    const list = this.#read(organizationId);
    this.#kept.set(organizationId, { until: now + KEPT_MS, list });
    list.catch(() => {
      if (this.#kept.get(organizationId)?.list === list) this.#kept.delete(organizationId);
    });
    return await list;
  }

  /**
   * Whether a repository is one of these, by the newest list. The operator's token is asked by
   * itself. Throws as `list`.
   */
  async mayOpen(organizationId: string, repository: string): Promise<boolean> {
    if (!appOf(this.#deps.config, this.#deps.pool)) return true;
    const isThere = async (): Promise<boolean> =>
      (await this.list(organizationId)).some(({ name }) => byName(name, repository) === 0);
    if (await isThere()) return true;
    this.forget(organizationId);
    return await isThere();
  }

  /** Without an organization: what is known of all of them. */
  forget(organizationId?: string): void {
    if (organizationId === undefined) this.#kept.clear();
    else this.#kept.delete(organizationId);
  }

  async #read(organizationId: string): Promise<ReachableRepository[]> {
    const { config, pool } = this.#deps;
    const github = requireGitHub(config, pool, organizationId);
    const app = appOf(config, pool);
    const repositories = app
      ? await this.#ofInstallations(app, github.site.apiUrl, organizationId)
      : await ofToken(github);
    return repositories.toSorted((a, b) => byName(a.name, b.name));
  }

  /**
   * An installation that is gone or suspended hides only its own: the connection's page says what
   * is the matter with it.
   */
  async #ofInstallations(
    app: AppCredentials,
    apiUrl: string,
    organizationId: string,
  ): Promise<ReachableRepository[]> {
    const owned = await listInstallations(this.#deps.pool, organizationId);
    const lists = await Promise.allSettled(
      owned.map(async ({ id, account }) => {
        const octokit = openOctokit(apiUrl, await app.listingToken(id, account));
        const found = await octokit
          .paginate(octokit.rest.apps.listReposAccessibleToInstallation, { per_page: 100 })
          .catch((error: unknown) => {
            throw repositoryError(error, account);
          });
        return found.map(listed);
      }),
    );
    const failed = lists.find(each => each.status === 'rejected');
    if (failed && lists.every(each => each.status === 'rejected')) throw failed.reason;
    return lists.flatMap(each => (each.status === 'fulfilled' ? each.value : []));
  }
}

/** A page of a list: what has `search` in its name, after the one named by `cursor`. */
export function pageOf(
  list: readonly ReachableRepository[],
  { search = '', cursor }: { search?: string; cursor?: string },
): { repositories: ReachableRepository[]; nextCursor: string | null } {
  const wanted = search.trim().toLowerCase();
  const found = list.filter(
    ({ name }) =>
      name.toLowerCase().includes(wanted) && (cursor === undefined || byName(name, cursor) > 0),
  );
  const repositories = found.slice(0, PAGE);
  return {
    repositories,
    nextCursor: found.length > PAGE ? (repositories.at(-1)?.name ?? null) : null,
  };
}

/** Names know no case, and no language. */
function byName(a: string, b: string): number {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

async function ofToken({ site, credentials }: GitHubClient): Promise<ReachableRepository[]> {
  const octokit = openOctokit(site.apiUrl, await credentials.token('your repositories'));
  const found = await octokit
    .paginate(octokit.rest.repos.listForAuthenticatedUser, { per_page: 100 })
    .catch((error: unknown) => {
      throw repositoryError(error, 'your repositories');
    });
  return found.map(listed);
}

function listed({
  full_name: name,
  private: isPrivate,
  archived = false,
}: {
  full_name: string;
  private: boolean;
  archived?: boolean | undefined;
}): ReachableRepository {
  return { name, private: isPrivate, archived };
}
