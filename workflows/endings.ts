import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { FAILURES, isFailureType } from '../shared/jobs/failures.ts';
import type { DurableState, HaltReason } from '../shared/jobs/job.ts';
import { takeAll } from './follow-up-queue.ts';
import { type JobState, position } from './job-state.ts';
import type { TurnActivities } from './retry-policies.ts';
import { applicationFailure, localFirst } from './local-first.ts';

/** How a turn ended. `message` null: what the model said last. */
export interface Ending {
  status: 'completed' | 'failed';
  haltReason: HaltReason;
  message: string | null;
  startNextFrom: DurableState['startFrom'];
  cancelled?: boolean;
}

export const COMPLETED: Ending = {
  status: 'completed',
  haltReason: 'completed',
  message: null,
  startNextFrom: 'workspace',
};

/** The edits are kept for a follow-up. */
export function errorEnding(message: string): Ending {
  return { status: 'failed', haltReason: 'error', message, startNextFrom: 'workspace' };
}

/** The status of a turn that ended for this reason. */
export function statusOf(reason: HaltReason): Ending['status'] {
  return reason === 'completed' ? 'completed' : 'failed';
}

/** The end of a turn whose work threw `error`. */
export function endingOf(error: unknown, job: JobState): Ending {
  if (wasCancelled(error)) {
    const by = job.durable.cancelRequested ? 'Cancelled' : 'Cancelled by an operator';
    return {
      status: 'failed',
      haltReason: 'error',
      message: `${by}. The edits are kept in the diff; nothing was published.`,
      startNextFrom: 'published',
      cancelled: true,
    };
  }
  const type = failureType(error);
  // A defect of the workflow itself: Temporal keeps the job and retries.
  if (!isFailureType(type)) throw error;
  const told = type === 'internal' ? undefined : applicationFailure(error)?.message;
  const sentence = told || FAILURES[type].sentence;
  return { ...errorEnding(sentence), haltReason: FAILURES[type].haltReason };
}

/**
 * Also true if the worker died before it received the cancel: its activity times out and is not
 * retried.
 */
function wasCancelled(error: unknown): boolean {
  return (
    isCancellation(error) ||
    (error instanceof ActivityFailure && error.retryState === 'CANCEL_REQUESTED')
  );
}

/**
 * The stable type of an activity's failure. The timeout of a worker that never answered counts as
 * `internal`.
 */
export function failureType(error: unknown): string | undefined {
  if (error instanceof ApplicationFailure) return error.type ?? undefined;
  if (!(error instanceof ActivityFailure)) return undefined;
  const cause = error.cause;
  return cause instanceof ApplicationFailure && isFailureType(cause.type) ? cause.type : 'internal';
}

/** Reports how the turn ended. A cancel drops the waiting instructions. */
export async function report(
  job: JobState,
  { local, store }: TurnActivities,
  { status, haltReason, message, startNextFrom, cancelled = false }: Ending,
): Promise<void> {
  const { durable } = job;
  const cancelRequested = durable.cancelRequested;
  const dropped = cancelRequested ? takeAll(job) : [];
  const takenBack = startNextFrom === 'published';
  const reported = await localFirst(
    job,
    { local: local.reportTurn, ordinary: store.reportTurn, isLocalFirst: job.hasLocalStore },
    { ...position(job), status, haltReason, message, dropped, takenBack, cancelled },
    status,
  );
  durable.at = reported.at;
  durable.status = durable.inbox.length > 0 ? 'active' : reported.status;
  durable.haltReason = haltReason;
  durable.messageToUser = reported.messageToUser;
  durable.ref = reported.ref;
  durable.prLink = reported.prLink;
  durable.transcriptHead = reported.transcriptHead;
  durable.startFrom = startNextFrom;
  job.publishing = false;
  // A cancel that arrived during this report is for the waiting instructions, not for this turn.
  durable.cancelRequested &&= !cancelRequested && durable.inbox.length > 0;
}
