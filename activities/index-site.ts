import { ApplicationFailure, Context } from '@temporalio/activity';
import { readAutomations } from '../automations/read-files.ts';
import { storeAutomations } from '../db/automations/automations.ts';
import { transaction } from '../db/pool.ts';
import type { ContextRepository } from '../shared/context-repositories.ts';
import type { Snapshot } from '../shared/workspace.ts';
import { withAdvisoryLock } from '../db/advisory-lock.ts';
import { findProject, type Project } from '../db/projects/projects.ts';
import {
  adoptDocsFolder,
  beginIndexRun,
  endIndexRun,
  notePagesRead,
  noteSite,
} from '../db/search/index-runs.ts';
import type { IndexActivities, IndexInput, IndexReport } from '../shared/index-site.ts';
import { indexPages } from '../search/indexing/build-index.ts';
import type { Embed } from '../search/embed.ts';
import { readIndexState } from '../db/search/index-state.ts';
import { lookAtSite } from '../search/witness/look-at-site.ts';
import type { ClientOptions } from '../search/witness/site-client.ts';
import { SiteError } from '../search/site/site-error.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { RepositoryError } from '../hosts/repository-error.ts';

export interface IndexDeps extends Pick<ActivityDeps, 'pool' | 'hostFor' | 'publicUrl'> {
  /** Where embeddings are on. */
  embed?: Embed | undefined;
  /** Automations follow: their schedules, and those that each index starts. */
  onIndexed?(project: Project, commit: string): Promise<void>;
  /** How published sites are asked. */
  siteClient: Omit<ClientOptions, 'signal'>;
}

/** The activities of `indexSite` and `lookAtPublishedSite`, for the worker to register. */
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

    async lookAtSite({ projectId }: IndexInput): Promise<boolean> {
      const [project, index] = await Promise.all([
        findProject(deps.pool, projectId),
        readIndexState(deps.pool, projectId),
      ]);
      if (!project?.siteUrl || !index) return false;
      const { siteUrl } = project;
      // What Docent itself shows is not a witness.
      if (new URL(siteUrl).origin === new URL(deps.publicUrl).origin) return false;
      const signal = Context.current().cancellationSignal;
      const look = await withAdvisoryLock(deps.pool, `look at ${projectId}`, async () => ({
        isNew: await lookAtSite(
          deps.pool,
          { id: projectId, siteUrl, commit: index.commit, basePath: index.site.basePath },
          { ...deps.siteClient, signal },
        ),
      }));
      return look?.isNew ?? false;
    },
  };
}

/** Notes where it is, and why it failed: people wait for it. */
async function indexNewest(deps: IndexDeps, project: Project): Promise<IndexReport> {
  await beginIndexRun(deps.pool, project.id);
  try {
    const report = await indexCommit(deps, project);
    await endIndexRun(deps.pool, project.id, null);
    return report;
  } catch (error) {
    // The database may be what failed.
    await endIndexRun(deps.pool, project.id, sentenceOf(error)).catch(() => undefined);
    throw error instanceof SiteError
      ? ApplicationFailure.nonRetryable(error.message, 'site_unreadable')
      : error;
  }
}

async function indexCommit(deps: IndexDeps, project: Project): Promise<IndexReport> {
  const { cancellationSignal: signal, log } = Context.current();
  const { pool } = deps;
  const host = deps.hostFor(project);
  const commit = await host.resolveBranch(project, project.baseRef);
  if (commit === null)
    throw new RepositoryError(
      'ref_not_found',
      `The branch ${project.baseRef} does not exist in ${project.repositoryUrl}.`,
    );
  const snapshot = await host.snapshot(project, commit, signal);
  const wanted = {
    docsFolder: project.docsFolderDetected ? undefined : project.docsFolder,
    kind: project.siteKind,
    basePath: project.basePath,
  };
  const report = await indexPages(
    pool,
    project.id,
    { snapshot, ...wanted },
    {
      signal,
      embed: deps.embed,
      onSite: async site => {
        await readAutomationFiles(deps, project, snapshot, site.docsFolder);
        await noteSite(pool, project.id, commit, site);
        await adoptDocsFolder(pool, project.id, site.docsFolder);
      },
      onProgress: ({ pagesRead }) => notePagesRead(pool, project.id, pagesRead),
    },
  );
  log.info('site indexed', { projectId: project.id, ...report });
  await deps.onIndexed?.(project, commit);
  return report;
}

/** From the commit that is indexed, which is one of the base branch. */
async function readAutomationFiles(
  { pool }: IndexDeps,
  { id, settings }: Project,
  snapshot: Snapshot,
  docsFolder: string,
): Promise<void> {
  const allowed = (settings['contextRepositories'] ?? []) as ContextRepository[];
  const found = await readAutomations(snapshot, docsFolder, allowed);
  await transaction(pool, tx => storeAutomations(tx, id, found));
}

function sentenceOf(error: unknown): string {
  return error instanceof RepositoryError || error instanceof SiteError
    ? error.message
    : 'Something went wrong on our side; Docent’s log says more.';
}
