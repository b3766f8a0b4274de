import type { Config } from '../../shared/config.ts';
import type { HostDefinition } from '../host-definition.ts';
import type { HostDeps } from '../host-deps.ts';
import { RepositoryError } from '../repository-error.ts';
import { GitHubHost } from './host.ts';
import { inspectRepository } from './inspect.ts';
import { appOf, gitHubProblem, openGitHub, requireGitHub } from './open.ts';
import { ReachableRepositories } from './reachable-repositories.ts';
import { readPreview } from './previews/read-preview.ts';
import { KIND, repositoryAt, repositoryName } from './site.ts';
import { gitHubWebhook } from './webhook.ts';

/** GitHub, github.com or Enterprise. */
export const gitHub: HostDefinition = {
  kind: KIND,
  name: 'GitHub',
  workerSettings:
    'set GITHUB_TOKEN, or GITHUB_APP_ID with GITHUB_APP_PRIVATE_KEY, on the worker; for an App that ' +
    'was created in the dashboard, the ENCRYPTION_KEY of the API',
  openForWorker({ config, pool, repositories }) {
    const github = openGitHub(config, pool);
    const reading = openGitHub(config, pool, undefined, true);
    return github && new GitHubHost(github, repositories, reading);
  },
  credentialsOf: config => config.GITHUB_APP_PRIVATE_KEY,
  problem: gitHubProblem,
  async repositoryAt({ config, pool }, address) {
    const github = openGitHub(config, pool);
    return github && repositoryAt(github.site, address);
  },
  repositoryNamed: ({ config }, name) =>
    gitHubProblem(config) === null && repositoryName(name) ? name : undefined,
  requireMayUse: async (deps, organizationId, repository) =>
    requireReachable(new ReachableRepositories(deps), organizationId, repository),
  locate: async ({ config, pool }, asking, repository, wanted) =>
    inspectRepository(requireGitHub(config, pool, asking, wanted.readOnly), repository, wanted),
  async checkChange({ config, pool }, { organizationId, repository, baseRef: now }, { baseRef }) {
    if (baseRef === undefined || baseRef === now) return;
    const github = requireGitHub(config, pool, organizationId);
    await inspectRepository(github, repository, { baseRef });
  },
  pullRequestsUrl: repositoryUrl => `${repositoryUrl}/pulls`,
  webhook: gitHubWebhook,
  previews: {
    // The tokens of an App may not read deployments and statuses.
    mustBeAsked: config =>
      config.GITHUB_WEBHOOK_SECRET === undefined &&
      config.GITHUB_APP_ID === undefined &&
      config.GITHUB_TOKEN !== undefined,
    read: async ({ config, pool }, repository, commit) =>
      readPreview(requireGitHub(config, pool), repository, commit),
  },
  credentials: { areIncomplete, describe: describeCredentials },
  hasConnectPage: true,
};

/**
 * What other organizations' installations open is as unknown here as what does not exist. Throws
 * `RepositoryError`.
 */
export async function requireReachable(
  reachable: ReachableRepositories,
  organizationId: string,
  repository: string,
): Promise<void> {
  if (await reachable.mayOpen(organizationId, repository)) return;
  throw new RepositoryError(
    'repository_not_found',
    `No connected installation opens ${repository}: correct the name, give the App access to it ` +
      'on GitHub, or connect that account.',
  );
}

function areIncomplete(config: Config): boolean {
  const isAny = config.GITHUB_APP_ID ?? config.GITHUB_APP_PRIVATE_KEY;
  return isAny !== undefined && gitHubProblem(config) !== null;
}

async function describeCredentials({ config, pool }: HostDeps): Promise<string> {
  const app = await appOf(config, pool)?.describe();
  if (app?.problem) throw new RepositoryError('credentials_refused', app.problem);
  return app ? `App ${app.slug}` : 'GITHUB_TOKEN is set';
}
