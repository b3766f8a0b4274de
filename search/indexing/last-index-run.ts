import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { Queryable } from '../../db/pool.ts';
import { readPublishedCheck } from '../../db/search/published.ts';
import { readIndexRun } from '../../db/search/index-runs.ts';
import { readIndexState } from '../../db/search/index-state.ts';
import { isFailureType } from '../../shared/jobs/failures.ts';
import { comparisonText } from '../../sites/published/comparison-text.ts';
import { indexWorkflowId } from '../../shared/index-site.ts';

/** `run`: null if Temporal cannot say. `failure`: the sentence of one that people can repair. */
interface LastRun {
  run: 'none' | 'running' | 'completed' | 'failed' | null;
  failure: string | null;
}

/** Where the index of a project is; `last` is what Temporal says of the newest run. */
export async function indexState(db: Queryable, projectId: string, last: LastRun) {
  const [state, run, look] = await Promise.all([
    readIndexState(db, projectId),
    readIndexRun(db, projectId),
    readPublishedCheck(db, projectId),
  ]);
  const { site: indexed = null, ...built } = state ?? {};
  return {
    built: state && (built as Omit<typeof state, 'site'>),
    published: look && {
      says: indexed?.published ? comparisonText(indexed.published) : null,
      source: look.source,
      failure: look.failure,
      checkedAt: look.checkedAt,
    },
    // That of a run that continues is the newer one.
    site: run?.site ?? indexed,
    progress:
      run && !run.finishedAt && run.pagesTotal !== null
        ? { pagesRead: run.pagesRead, pagesTotal: run.pagesTotal }
        : null,
    run: last.run,
    failure: last.run === 'completed' ? null : (last.failure ?? run?.failure ?? null),
  };
}

/** How the newest indexing of a project went. Rejects when Temporal is away. */
export async function lastIndexRun({ workflow }: Client, projectId: string): Promise<LastRun> {
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
