import type { Handlers } from '../handlers.ts';
import type { GitHubDeps } from './connection.ts';
import { inspectForProject, repositoryProblem, shownToPeople } from './project-repository.ts';
import { pageOf } from './reachable-repositories.ts';

/** Repositories on GitHub: which an organization can choose, and whether one works. */
export function gitHubRepositoryRoutes(deps: GitHubDeps) {
  const { reachable } = deps;
  return {
    'GET /organizations/:organization/github/repositories': async ({ membership, query }) =>
      pageOf(await reachable.list(membership.organization.id).catch(shownToPeople), query),

    'GET /organizations/:organization/github/repository': ({ membership, query }) => {
      const { repository, ...wanted } = query;
      return inspectForProject(deps, reachable, membership.organization.id, repository, wanted);
    },

    'GET /projects/:projectId/repository': async ({ project }) => ({
      problem: await repositoryProblem(deps, project),
    }),
  } satisfies Partial<Handlers>;
}
