import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { type FailureCode, FAILURES, isFailureType } from '../shared/jobs/failures.ts';
import type { DurableState } from '../shared/jobs/job.ts';
import type { HaltReason } from '../shared/jobs/result.ts';
import type { WaitingFor, WaitLength } from '../shared/jobs/waiting.ts';
import { enqueueLast, shorten, takeAll } from './follow-up-queue.ts';
import { type JobState, position } from './job-state.ts';
import type { TurnActivities } from './retry-policies.ts';

/** How a turn ended. `message` null: what the model said last. */
export interface Ending {
  status: 'completed' | 'failed';
  haltReason: HaltReason;
  message: string | null;
  startNextFrom: DurableState['startFrom'];
  /** Why it failed, unless it was cancelled. */
  code?: FailureCode;
  cancelled?: boolean;
  /** From a person. */
  waitsFor?: WaitingFor;
}

export const COMPLETED: Ending = {
  status: 'completed',
  haltReason: 'completed',
  message: null,
  startNextFrom: 'workspace',
};

export const DECLINED: Ending = {
  ...COMPLETED,
  message: 'Declined: it was not carried out. The job continues with the next instruction.',
};

export function waitingEnding(waitsFor: WaitingFor): Ending {
  return { ...COMPLETED, waitsFor };
}

/** The edits are kept for a follow-up. */
export function errorEnding(code: FailureCode, message: string): Ending {
  return { status: 'failed', haltReason: 'error', message, startNextFrom: 'workspace', code };
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
  const told = type === 'internal' ? undefined : causeOf(error)?.message;
  const sentence = told || FAILURES[type].sentence;
  return {
    ...errorEnding(type, sentence),
    haltReason: FAILURES[type].haltReason,
    ...(type === 'budget_reached' && { waitsFor: 'budget' as const }),
  };
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
  const type = causeOf(error)?.type;
  return isFailureType(type) ? type : 'internal';
}

/** What the activity or the workflow itself threw. */
function causeOf(error: unknown): ApplicationFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause : undefined;
}

/** Reports how the turn ended. A cancel drops the waiting instructions. */
export async function report(
  job: JobState,
  activities: TurnActivities,
  { status, haltReason, message, startNextFrom, code, cancelled = false, waitsFor }: Ending,
): Promise<void> {
  const { durable } = job;
  if (durable.cancelRequested) await shorten(job, activities);
  const cancelRequested = durable.cancelRequested;
  const dropped = cancelRequested ? takeAll(job) : [];
  job.endsWaitingFor = waitsFor ?? null;
  const takenBack = startNextFrom === 'published';
  const reported = await activities.store.reportTurn.executeWithOptions({ summary: status }, [
    {
      ...position(job),
      ...{ status, haltReason, message, dropped, takenBack, cancelled },
      ...(code !== undefined && { code }),
      ...(waitsFor && { waitsFor }),
    },
  ]);
  durable.at = reported.at;
  job.endsWaitingFor = null;
  if (reported.resumes) enqueueLast(durable, { messageId: reported.resumes });
  durable.status = durable.inbox.length > 0 ? 'active' : reported.status;
  durable.haltReason = haltReason;
  durable.messageToUser = reported.messageToUser;
  beginWait(durable, waitsFor, reported.waits);
  if (reported.outcome) durable.outcome = reported.outcome;
  durable.ref = reported.ref;
  durable.prLink = reported.prLink;
  durable.transcriptHead = reported.transcriptHead;
  durable.startFrom = startNextFrom;
  job.publishing = false;
  // A cancel that arrived during this report is for the waiting instructions, not for this turn.
  durable.cancelRequested &&= !cancelRequested && durable.inbox.length > 0;
}

/** Workers of before do not say how long: then the job is idle, as it was with them. */
function beginWait(
  durable: DurableState,
  waitsFor: WaitingFor | undefined,
  waits: WaitLength | undefined,
): void {
  durable.waitingFor = (waits && waitsFor) ?? null;
  durable.wait = waits
    ? { remindAt: Date.now() + waits.remindAfterMs, endAt: Date.now() + waits.endAfterMs }
    : null;
}
