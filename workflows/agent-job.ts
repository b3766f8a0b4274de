import {
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  defineQuery,
  isCancellation,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { JOB_QUERY, type JobInput, type JobView } from '../shared/jobs/job.ts';
import { enqueue, GivenUp, shorten, storeInbox, takeRow } from './follow-up-queue.ts';
import { carry, type JobState, newState, position, view } from './job-state.ts';
import { LATE_SIGNAL_MS, passWait } from './pass-wait.ts';
import { type TurnActivities, turnActivities } from './retry-policies.ts';
import { handleMessages } from './signals.ts';
import { runTurn } from './turn.ts';
import { listedNow, show } from './web-ui.ts';

export const jobQuery = defineQuery<JobView>(JOB_QUERY);

/**
 * The life of one job: wait for an instruction, carry it out, rest, and wait for the next until it
 * is archived. It stays open between instructions, so that a plain signal always reaches it.
 */
export async function agentJob(input: JobInput): Promise<void> {
  const job = newState(input);
  job.listed = listedNow();
  const activities = turnActivities(input.limits.heartbeatSeconds);
  let turnScope: CancellationScope | undefined;
  handleMessages(job, input, () => turnScope?.cancel());
  setHandler(jobQuery, () => view(job), { description: 'The job as the API shows it' });

  try {
    show(job);
    do {
      for (let next = await waitForNext(job, input); next !== 'archive';) {
        if (next === 'instruction') {
          await CancellationScope.cancellable(async () => {
            turnScope = CancellationScope.current();
            await runTurn(job, activities, input.limits);
          });
          job.turnsInThisRun += 1;
          show(job);
        } else if (next === 'wait-is-due') await passWait(job, activities);
        else await takeRow(job, activities);
        if (mustContinueAsNew(job, input)) await continueWith(job, activities, input);
        next = await waitForNext(job, input);
      }
    } while (!(await archive(job, activities, { dropWaiting: false })));
  } catch (error) {
    if (error instanceof GivenUp) return;
    if (!isCancellation(error)) throw error;
    // Cancelled from outside (Web UI, CLI): the end of the job, not of a turn.
    await CancellationScope.nonCancellable(() => archive(job, activities, { dropWaiting: true }));
    throw error;
  }
}

/**
 * Waits for what comes next: an instruction; the end, by request or because the time is up; a moment
 * of a wait for a person; or a new history, because signals that were ignored have filled this one.
 */
async function waitForNext(
  job: JobState,
  input: JobInput,
): Promise<'instruction' | 'archive' | 'wait-is-due' | 'new-history'> {
  const { durable } = job;
  if (CancellationScope.current().consideredCancelled)
    throw new CancelledFailure('cancelled from outside'); // with a queue, too
  if (!job.hasBegun || durable.inbox.length > 0) return 'instruction';
  // The deadlines count from the last turn's end, or from that of the wait, across continue-as-new.
  const due = durable.wait
    ? (durable.wait.remindAt ?? durable.wait.endAt)
    : (durable.archiveAt ??= Date.now() + input.limits.archiveAfterMs);
  const rest = Math.max(1, due - Date.now());
  // The workflows of 0.1.0 did not look.
  const isFull = () => workflowInfo().continueAsNewSuggested && patched('new-history-at-rest');
  job.isWaiting = true;
  await condition(() => durable.inbox.length > 0 || durable.archiveRequested || isFull(), rest, {
    summary: durable.waitingFor
      ? `wait for ${durable.waitingFor}`
      : 'wait for a follow-up, else archive',
  });
  job.isWaiting = false;
  if (durable.inbox.length === 0 && !durable.archiveRequested && isFull()) return 'new-history';
  if (durable.inbox.length === 0)
    return durable.wait && !durable.archiveRequested ? 'wait-is-due' : 'archive';
  durable.archiveRequested = false;
  durable.archiveAt = null;
  return 'instruction';
}

function mustContinueAsNew(job: JobState, { limits }: JobInput): boolean {
  const forced = limits.continueAsNewAfterTurns;
  return workflowInfo().continueAsNewSuggested || (forced > 0 && job.turnsInThisRun >= forced);
}

/** Begins a new history under the same id. Only ids travel. */
async function continueWith(
  job: JobState,
  activities: TurnActivities,
  input: JobInput,
): Promise<void> {
  await storeInbox(job, activities);
  await condition(allHandlersFinished);
  await continueAsNew<typeof agentJob>({ ...input, carried: carry(job) });
}

/** False if an instruction came at the same moment: the job stays open. */
async function archive(
  job: JobState,
  activities: TurnActivities,
  options: { dropWaiting: boolean },
): Promise<boolean> {
  const { durable } = job;
  await shorten(job, activities);
  const {
    archivedAt,
    at,
    overdue = [],
  } = await activities.store.archiveJob({
    ...position(job),
    status: durable.status,
    waiting: durable.inbox,
    ...options,
  });
  durable.at = at;
  durable.archiveRequested = false;
  enqueue(job, overdue);
  if (!options.dropWaiting && (archivedAt === null || durable.inbox.length > 0)) {
    durable.archiveAt = Date.now() + LATE_SIGNAL_MS;
    return false;
  }
  job.archivedAt = archivedAt;
  durable.waitingFor = null;
  if (durable.status === 'active') durable.status = 'failed';
  show(job);
  return true;
}
