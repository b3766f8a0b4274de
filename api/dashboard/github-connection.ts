import type { Config } from '../../shared/config.ts';
import type { GitHubConnection } from '../../shared/dashboard/github.ts';
import { type GitHubInstallation, type GitHubWay, listInstallations, listProofs } from '../../shared/db/github.ts';
import { ConfigError } from '../../shared/errors.ts';
import type { AppCredentials } from '../../shared/github/app.ts';
import { appOf } from '../../shared/github/open.ts';
import { RepositoryError } from '../../shared/repository-error.ts';
import type { DashboardDeps } from './deps.ts';
import type { ReachableRepositories } from './github-repositories.ts';
import { suspended } from './github-user.ts';

type Installations = GitHubConnection['installations'];

/** How an organization reaches GitHub, as it is at this moment; every trouble is one sentence with the thing to repair. */
export async function readConnection(deps: DashboardDeps, reachable: ReachableRepositories, who: Pick<GitHubWay, 'sessionId' | 'organizationId'>): Promise<GitHubConnection> {
  const nothing = { canConnect: false, installations: [], shown: [] };
  try {
    const app = appOf(deps.config, deps.pool);
    if (!app && deps.config.GITHUB_TOKEN) return { by: 'token', problem: await tokenProblem(reachable, who.organizationId), ...nothing };
    if (!app) return { by: 'none', problem: halfAnApp(deps.config), ...nothing };
    const [owned, proven] = await Promise.all([listInstallations(deps.pool, who.organizationId), listProofs(deps.pool, who)]);
    const [problem, installations] = await Promise.all([appProblem(app), Promise.all(owned.map(each => installationBody(app, each)))]);
    return {
      by: 'app', problem, canConnect: Boolean(deps.config.GITHUB_APP_CLIENT_ID && deps.config.GITHUB_APP_CLIENT_SECRET),
      installations: installations.toSorted((a, b) => a.account.localeCompare(b.account)), shown: proven.filter(({ id }) => !owned.some(each => each.id === id)),
    };
  } catch (error) {
    if (error instanceof ConfigError) return { by: 'none', problem: error.message, ...nothing };
    throw error;
  }
}

function halfAnApp({ GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: key }: Config): string | null {
  if (id && !key) return 'GITHUB_APP_ID is set without GITHUB_APP_PRIVATE_KEY: set the App’s private key, too.';
  return key && !id ? 'GITHUB_APP_PRIVATE_KEY is set without GITHUB_APP_ID: set the App’s id, too.' : null;
}

async function tokenProblem(reachable: ReachableRepositories, organizationId: string): Promise<string | null> {
  return await sentenceOf(async () => {
    const repositories = await reachable.list(organizationId);
    return repositories.length > 0 ? null : 'GITHUB_TOKEN opens no repository: give it the docs repository, with read and write access to Contents and Pull requests.';
  });
}

async function appProblem(app: AppCredentials): Promise<string | null> {
  return await sentenceOf(async () => {
    const { slug, permissions } = await app.describe();
    const enough = permissions['contents'] === 'write' && permissions['pull_requests'] === 'write';
    return enough ? null : `The App ${slug} lacks a permission: give it read and write access to Contents and Pull requests.`;
  });
}

async function installationBody(app: AppCredentials, { id, account, createdAt }: GitHubInstallation): Promise<Installations[number]> {
  const body = { id, account, connectedAt: createdAt.toISOString(), url: null, problem: null };
  try {
    const found = await app.findInstallation(id);
    if (!found) return { ...body, problem: `The App was uninstalled from ${account}: install it again, or disconnect it here.` };
    const lacks = `The installation on ${found.account} lacks a permission: accept read and write access to Contents and Pull requests in its settings on GitHub.`;
    return { ...body, account: found.account, url: found.url, problem: found.suspended ? suspended(found.account) : found.mayPublish ? null : lacks };
  } catch (error) {
    if (error instanceof RepositoryError) return { ...body, problem: error.message };
    throw error;
  }
}

/** What a check found; a refusal's own sentence where GitHub refuses. */
export async function sentenceOf(check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof RepositoryError || error instanceof ConfigError) return error.message;
    throw error;
  }
}
