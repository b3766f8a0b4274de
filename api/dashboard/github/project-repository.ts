import type { RepositoryInspection } from '../contract/github.ts';
import { gitHub, requireReachable } from '../../../hosts/github/definition.ts';
import type { ReachableRepositories } from '../../../hosts/github/reachable-repositories.ts';
import type { WantedBranch } from '../../../hosts/host-definition.ts';
import type { DashboardDeps } from '../deps.ts';
import { problemOf } from '../project/hosts.ts';

/** What a project on that repository would begin with, or what is missing. */
export async function inspectForProject(
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
