import type { IndexStatus } from '../contract/projects/projects.ts';
import type { Project } from '../../../db/projects/projects.ts';
import { ensureIndexSchedule, requestIndex } from '../../../search/indexing/index-requests.ts';
import { indexState, lastIndexRun } from '../../../search/indexing/last-index-run.ts';
import { kindTitle } from '../../../sites/kinds/registry.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

const DESCRIBE_DEADLINE_MS = 1_000;

/** A project's search index: its state, and building it now. */
export function indexRoutes(deps: DashboardDeps) {
  const { config, temporal } = deps;
  return {
    'GET /projects/:projectId/index': ({ project }) => indexStatus(deps, project),

    'POST /projects/:projectId/index': async ({ project }) => {
      const { TASK_QUEUE, INDEX_INTERVAL_MINUTES } = config;
      await ensureIndexSchedule(temporal, TASK_QUEUE, project, INDEX_INTERVAL_MINUTES);
      await requestIndex(temporal, TASK_QUEUE, project);
      return indexStatus(deps, project);
    },
  } satisfies Partial<Handlers>;
}

async function indexStatus(
  { pool, config, temporal }: DashboardDeps,
  project: Project,
): Promise<IndexStatus> {
  const last = await temporal
    .withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () => lastIndexRun(temporal, project.id))
    .catch(() => ({ run: null, failure: null }));
  const { built, site, published, ...state } = await indexState(pool, project.id, last);
  return {
    ...state,
    built: built && { ...built, builtAt: built.builtAt.toISOString() },
    published: published && { ...published, checkedAt: published.checkedAt.toISOString() },
    site: site && {
      ...site,
      kindTitle: site.generator
        ? `${site.generator}, read as ${kindTitle(site.kind)}`
        : kindTitle(site.kind),
    },
    intervalMinutes: config.INDEX_INTERVAL_MINUTES,
  };
}
