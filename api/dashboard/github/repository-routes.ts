import type { Handlers } from '../handlers.ts';
import type { GitHubDeps } from './connection.ts';
import { pageOf } from '../../../hosts/github/reachable-repositories.ts';
import { shownToPeople } from '../project/hosts.ts';
import { inspectForProject } from './project-repository.ts';

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
