import type { GitHubConnection } from '../contract/github.ts';
import { gitHubCallback } from '../../../shared/links.ts';
import {
  type GitHubInstallation,
  type GitHubWay,
  listInstallations,
  listProofs,
} from '../../../db/github/installations.ts';
import { ConfigError } from '../../../shared/errors.ts';
import type { AppCredentials } from '../../../hosts/github/app.ts';
import { WRITE_ACCESS } from '../../../hosts/github/failures.ts';
import { appOf, gitHubProblem } from '../../../hosts/github/open.ts';
import { RepositoryError } from '../../../hosts/repository-error.ts';
import type { DashboardDeps } from '../deps.ts';
import { mayCreateApp } from './may-create-app.ts';
import { removableApp } from './remove-app.ts';
import { problemOf } from '../project/hosts.ts';
import type { ReachableRepositories } from '../../../hosts/github/reachable-repositories.ts';

/** What the routes about GitHub work with. */
export interface GitHubDeps extends DashboardDeps {
  reachable: ReachableRepositories;
}

type Installations = GitHubConnection['installations'];

/**
 * How an organization reaches GitHub, as it is at this moment; every trouble is one sentence with
 * the thing to repair.
 */
export async function readConnection(
  deps: DashboardDeps,
  reachable: ReachableRepositories,
  who: Pick<GitHubWay, 'sessionId' | 'organizationId'> & { userId: string },
): Promise<GitHubConnection> {
  const nothing = {
    callbackUrl: gitHubCallback(deps.publicUrl),
    canConnect: false,
    canCreateApp: await mayCreateApp(deps, who.userId),
    storedApp: await removableApp(deps, who.userId),
    installations: [],
    shown: [],
  };
  try {
    const app = appOf(deps.config, deps.pool);
    if (!app && deps.config.GITHUB_TOKEN)
      return {
        by: 'token',
        problem: await tokenProblem(reachable, who.organizationId),
        ...nothing,
      };
    if (!app)
      return {
        by: 'none',
        problem: deps.storedApp.problem ?? gitHubProblem(deps.config),
        ...nothing,
      };
    const [owned, proven] = await Promise.all([
      listInstallations(deps.pool, who.organizationId),
      listProofs(deps.pool, who),
    ]);
    const [problem, installations] = await Promise.all([
      problemOf(async () => (await app.describe()).problem),
      Promise.all(owned.map(each => installationBody(app, each))),
    ]);
    return {
      ...nothing,
      by: 'app',
      problem,
      canConnect: Boolean(deps.config.GITHUB_APP_CLIENT_ID && deps.config.GITHUB_APP_CLIENT_SECRET),
      installations: installations.toSorted((a, b) => a.account.localeCompare(b.account)),
      shown: proven.filter(({ id }) => !owned.some(each => each.id === id)),
    };
  } catch (error) {
    if (error instanceof ConfigError) return { by: 'none', problem: error.message, ...nothing };
    throw error;
  }
}

async function tokenProblem(
  reachable: ReachableRepositories,
  organizationId: string,
): Promise<string | null> {
  return await problemOf(async () => {
    const repositories = await reachable.list(organizationId);
    return repositories.length > 0
      ? null
      : `GITHUB_TOKEN opens no repository: give it the docs repository, with ${WRITE_ACCESS}.`;
  });
}

async function installationBody(
  app: AppCredentials,
  { id, account, createdAt }: GitHubInstallation,
): Promise<Installations[number]> {
  const body = { id, account, connectedAt: createdAt.toISOString(), url: null, problem: null };
  try {
    const found = await app.findInstallation(id);
    return {
      ...body,
      ...(found ?? {
        problem: `The App was uninstalled from ${account}: install it again, or disconnect it here.`,
      }),
    };
  } catch (error) {
    if (error instanceof RepositoryError) return { ...body, problem: error.message };
    throw error;
  }
}
