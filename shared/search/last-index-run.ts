import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { IndexStatus } from '../dashboard/projects.ts';
import { isFailureType } from '../jobs/failures.ts';
import { indexWorkflowId } from './index-site.ts';

/** How the newest indexing of a project went. Rejects when Temporal is away. */
export async function lastIndexRun(
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
