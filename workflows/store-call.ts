import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import type { JobState } from './job-state.ts';

interface StoreActivity<Input, Result> {
  executeWithOptions(options: { summary?: string }, args: [Input]): Promise<Result>;
}

/**
 * Runs an activity that only reads and writes our own rows as a local one: the worker that has the
 * workflow executes it within the workflow task, which costs Temporal no task of its own. If that
 * fails, as when Postgres is away, an ordinary activity repeats it for as long as it takes; by their
 * key, both have one effect. Jobs of earlier releases have ordinary activities only.
 */
export async function callStore<Input extends { key?: string }, Result>(
  job: JobState,
  { local, ordinary }: Record<'local' | 'ordinary', StoreActivity<Input, Result>>,
  input: Input,
  summary?: string,
): Promise<Result> {
  const options = summary === undefined ? {} : { summary };
  if (!job.hasLocalStore) return await ordinary.executeWithOptions(options, [input]);
  const keyed = { ...input, key: `local-${(job.localCalls += 1)}` };
  try {
    return await local.executeWithOptions(options, [keyed]);
  } catch (error) {
    if (isCancellation(error) || isPermanent(error)) throw error;
    return await ordinary.executeWithOptions(options, [keyed]);
  }
}

/** A local activity rejects with the failure itself, an ordinary one with an `ActivityFailure`. */
function isPermanent(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}
