import type { Handlers } from '../handlers.ts';
import type { GitHubDeps } from './connection.ts';
import {
  pageOf,
  type ReachableRepositories,
} from '../../../hosts/github/reachable-repositories.ts';
import { shownToPeople, problemOf } from '../project/hosts.ts';
import type { RepositoryInspection } from '../contract/github.ts';
import { gitHub, requireReachable } from '../../../hosts/github/definition.ts';
import type { WantedBranch } from '../../../hosts/host-definition.ts';
import type { DashboardDeps } from '../deps.ts';

/** Repositories on GitHub that an organization can choose. */
export function gitHubRepositoryRoutes(deps: GitHubDeps) {
  const { reachable } = deps;
  return {
    'GET /organizations/:organization/github/repositories': async ({ membership, query }) =>
      pageOf(await reachable.list(membership.organization.id).catch(shownToPeople), query),

    'GET /organizations/:organization/github/repository': ({ membership, query }) => {
      const { repository, ...wanted } = query;
      return inspectForProject(deps, reachable, membership.organization.id, repository, wanted);
    },
  } satisfies Partial<Handlers>;
}

/** What a project on that repository would begin with, or what is missing. */
async function inspectForProject(
  deps: DashboardDeps,
  reachable: ReachableRepositories,
  organizationId: string,
  repository: string,
  wanted: WantedBranch,
): Promise<RepositoryInspection> {
  let found: RepositoryInspection['found'] = null;
  const problem = await problemOf(async () => {
    await requireReachable(reachable, organizationId, repository);
    const located = await gitHub.locate(deps, organizationId, repository, wanted);
    found = {
      repository: located.repository,
      baseRef: located.baseRef,
      docsFolder: located.docsFolder,
    };
    return null;
  });
  return { problem, found };
}
