import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { localKey } from '../shared/jobs/job.ts';
import type { JobState } from './job-state.ts';

interface Callable<Input, Result> {
  executeWithOptions(options: { summary?: string }, args: [Input]): Promise<Result>;
}

/** One activity, as a local and as an ordinary one. */
export interface LocalAndOrdinary<Input, Result> {
  local: Callable<Input, Result>;
  ordinary: Callable<Input, Result>;
  /** False in jobs of earlier releases, whose histories have the ordinary one. */
  isLocalFirst: boolean;
}

/**
 * Runs an activity that is over soon as a local one: the worker that has the workflow executes it
 * within the workflow task, which costs Temporal no task of its own. If that fails, as when Postgres
 * is away, an ordinary activity repeats it for as long as it takes; by their key, both have one
 * effect.
 */
export async function localFirst<Input extends { key?: string }, Result>(
  job: JobState,
  { local, ordinary, isLocalFirst }: LocalAndOrdinary<Input, Result>,
  input: Input,
  summary?: string,
): Promise<Result> {
  const options = summary === undefined ? {} : { summary };
  if (!isLocalFirst) return await ordinary.executeWithOptions(options, [input]);
  // Nothing of it would be in the history, so it has no key either.
  if (CancellationScope.current().consideredCancelled)
    throw new CancelledFailure('cancelled before an activity');
  const keyed = { ...input, key: localKey((job.localCalls += 1)) };
  const task = { startedAt: Date.now(), historyLength: workflowInfo().historyLength };
  try {
    return await local.executeWithOptions(options, [{ ...keyed, task }]);
  } catch (error) {
    if (isCancellation(error) || isPermanent(error)) throw error;
    const wait = waitAskedFor(error);
    if (wait > 0) await sleep(wait, { summary: 'wait as the repository host asked' });
    return await ordinary.executeWithOptions(options, [keyed]);
  }
}

function isPermanent(error: unknown): boolean {
  return applicationFailure(error)?.nonRetryable === true;
}

/** A local activity rejects with the failure itself, an ordinary one with an `ActivityFailure`. */
export function applicationFailure(error: unknown): ApplicationFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause : undefined;
}

/** In ms. Temporal itself keeps the delay of an ordinary activity. */
function waitAskedFor(error: unknown): number {
  const [asked] = (applicationFailure(error)?.details ?? []) as [{ retryAfterMs?: unknown }?];
  return typeof asked?.retryAfterMs === 'number' ? asked.retryAfterMs : 0;
}
