import type { JobStatus, WaitingInstruction } from '../shared/jobs/job.ts';
import { type JobState, move, position } from './job-state.ts';
import type { TurnActivities } from './retry-policies.ts';

/**
 * Adds instructions that an activity names, before all that arrived since. Their signals may have
 * arrived first, or may still arrive: each instruction is taken once.
 */
export function enqueue({ durable }: JobState, instructions: WaitingInstruction[]): void {
  const unknown = instructions.filter(
    ({ messageId }) => !durable.inbox.some(item => item.messageId === messageId),
  );
  durable.inbox.unshift(...unknown);
  durable.seen.push(
    ...unknown.map(item => item.messageId).filter(id => !durable.seen.includes(id)),
  );
}

/** Empties the inbox. */
export function takeAll({ durable }: JobState): WaitingInstruction[] {
  return durable.inbox.splice(0);
}

/**
 * Adds the waiting instructions to the transcript, after all tool results and before the next model
 * call. `restsAs`: the job's status if a turn begins with these and all of them were withdrawn.
 * Only then is a status returned.
 */
export async function readInbox(
  job: JobState,
  { store }: TurnActivities,
  restsAs: Exclude<JobStatus, 'active'> | null = null,
): Promise<JobStatus | undefined> {
  const instructions = takeAll(job);
  if (instructions.length === 0) return undefined;
  const summary = `${instructions.length} follow-up${instructions.length === 1 ? '' : 's'}`;
  try {
    const read = await store.readInstructions.executeWithOptions({ summary }, [
      { ...position(job), instructions, ...(restsAs && { restsAs }) },
    ]);
    move(job, read);
    job.durable.seen.push(...(read.lost ?? []));
    return read.rests;
  } catch (error) {
    // Not read, as far as we know: after a cancel the report drops and names them.
    job.durable.inbox.unshift(...instructions);
    throw error;
  }
}

/** Stores instructions that only signals have brought. After that, ids are enough. */
export async function storeInbox(job: JobState, { store }: TurnActivities): Promise<void> {
  const unstored = () => job.durable.inbox.filter(item => item.prompt !== undefined);
  for (let instructions = unstored(); instructions.length > 0; instructions = unstored()) {
    const { at } = await store.storeInstructions({ ...position(job), instructions });
    job.durable.at = at;
    for (const item of instructions) delete item.prompt;
  }
}
