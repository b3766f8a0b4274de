import { type JobState, position } from './job-state.ts';
import type { TurnActivities } from './retry-policies.ts';
import { show } from './web-ui.ts';

/**
 * After this long, a stored instruction whose signal has not come is overdue: the next attempt to
 * archive brings it.
 */
export const LATE_SIGNAL_MS = 15_000;

/** The job has waited for a person for so long that it reminds of it, or gives it up. */
export async function passWait(job: JobState, { store }: TurnActivities): Promise<void> {
  const { durable } = job;
  const { wait, waitingFor } = durable;
  if (!wait || !waitingFor) return;
  const ends = wait.remindAt === null;
  const { isOver, messageToUser, at } = await store.passWait.executeWithOptions(
    { summary: ends ? 'nobody came' : 'remind' },
    [{ ...position(job), waitingFor, ends }],
  );
  durable.at = at;
  wait.remindAt = null;
  if (!ends) return;
  // An instruction came at the same moment; its signal is on its way.
  if (!isOver) wait.endAt = Date.now() + LATE_SIGNAL_MS;
  else Object.assign(durable, { waitingFor: null, wait: null, messageToUser });
  show(job);
}
