import { ApplicationFailure, Context } from '@temporalio/activity';
import { findProject, type Project } from '../shared/db/projects/projects.ts';
import type { IndexActivities, IndexInput, IndexReport } from '../shared/search/index-site.ts';
import { indexPages } from '../shared/search/build-index.ts';
import type { Embed } from '../shared/search/embed.ts';
import { withAdvisoryLock } from '../shared/db/advisory-lock.ts';
import type { ActivityDeps } from './deps.ts';
import { RepositoryError } from '../hosts/repository-error.ts';

export interface IndexDeps extends Pick<ActivityDeps, 'pool' | 'hostFor'> {
  /** Where embeddings are on. */
  embed?: Embed | undefined;
}

/** The activity of `indexSite`, for the worker to register. */
export function createIndexActivities(deps: IndexDeps): IndexActivities {
  return {
    async indexPages({ projectId }: IndexInput): Promise<IndexReport | null> {
      const project = await findProject(deps.pool, projectId);
      if (!project) return null;
      // The newest commit is asked for under the lock: of two indexers the later one has the later
      // commit.
      const report = await withAdvisoryLock(deps.pool, `index of ${projectId}`, () =>
        indexNewest(deps, project),
      );
      if (!report)
        throw ApplicationFailure.retryable('Another worker is indexing this site.', 'internal');
      return report;
    },
  };
}

async function indexNewest(deps: IndexDeps, project: Project): Promise<IndexReport> {
  const { cancellationSignal: signal, log } = Context.current();
  const host = deps.hostFor(project);
  const commit = await host.resolveBranch(project, project.baseRef);
  if (commit === null)
    throw new RepositoryError(
      'ref_not_found',
      `The branch ${project.baseRef} does not exist in ${project.repositoryUrl}.`,
    );
  const snapshot = await host.snapshot(project, commit, signal);
  const report = await indexPages(
    deps.pool,
    project.id,
    { snapshot, docsFolder: project.docsFolder, kind: project.siteKind },
    { signal, embed: deps.embed },
  );
  log.info('site indexed', { projectId: project.id, ...report });
  return report;
}
