import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { IndexStatus } from '../../../shared/dashboard/projects.ts';
import type { Project } from '../../../shared/db/projects/projects.ts';
import { readIndexState } from '../../../shared/db/search/index-state.ts';
import { isFailureType } from '../../../shared/jobs/failures.ts';
import { ensureIndexSchedule, requestIndex } from '../../../shared/search/index-requests.ts';
import { indexWorkflowId } from '../../../shared/search/index-site.ts';
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
  const [state, run] = await Promise.all([
    readIndexState(pool, project.id),
    temporal
      .withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () => lastRun(temporal, project.id))
      .catch(() => ({ run: null, failure: null })),
  ]);
  return {
    built: state && { ...state, builtAt: state.builtAt.toISOString() },
    ...run,
    intervalMinutes: config.INDEX_INTERVAL_MINUTES,
  };
}

async function lastRun(
  { workflow }: Client,
  projectId: string,
): Promise<Pick<IndexStatus, 'run' | 'failure'>> {
  const handle = workflow.getHandle(indexWorkflowId(projectId));
  try {
    const {
      status: { name },
    } = await handle.describe();
    if (name === 'RUNNING') return { run: 'running', failure: null };
    if (name === 'COMPLETED' || name === 'CONTINUED_AS_NEW')
      return { run: 'completed', failure: null };
    return { run: 'failed', failure: await handle.result().then(() => null, sentenceOf) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { run: 'none', failure: null };
    throw error;
  }
}

/** The sentence of a failure that people can repair; null for our own trouble. */
function sentenceOf(error: unknown): string | null {
  const activity = error instanceof WorkflowFailedError ? error.cause : undefined;
  const cause = activity instanceof ActivityFailure ? activity.cause : undefined;
  return cause instanceof ApplicationFailure &&
    isFailureType(cause.type) &&
    cause.type !== 'internal'
    ? cause.message
    : null;
}
