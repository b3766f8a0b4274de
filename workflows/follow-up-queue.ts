import type { ReadOutcome } from '../shared/jobs/activity-types.ts';
import type { DurableState, JobStatus, WaitingInstruction } from '../shared/jobs/job.ts';
import { type JobState, move, position } from './job-state.ts';
import type { TurnActivities } from './retry-policies.ts';

/**
 * The order of follow-ups is that in which their signals arrived. When a turn reads them,
 * `takeInstructions` (db/jobs/instructions.ts) puts those that the API stored into the order
 * in which it stored them, and after a restore those that Temporal has lost come first
 * (activities/read-instructions.ts).
 */
export function enqueueLast(
  { inbox, seen }: Pick<DurableState, 'inbox' | 'seen'>,
  instruction: WaitingInstruction,
): void {
  seen.push(instruction.messageId);
  inbox.push(instruction);
}

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

/** The API gave the row up before its workflow began. */
export class GivenUp extends Error {}

/**
 * Begins the job: its row becomes the workflow's, and the transcript gets what the job came with and
 * what signals have brought since. Throws `GivenUp`.
 */
export async function begin(job: JobState, { store }: TurnActivities): Promise<void> {
  const input = { ...position(job), instructions: takeAll(job), beginsJob: true };
  const outcome = await store.readInstructions.executeWithOptions({ summary: 'begin' }, [input]);
  if (outcome.isGivenUp) throw new GivenUp('the row was given up');
  take(job, outcome);
  job.hasBegun = true;
}

/**
 * Adds the waiting instructions to the transcript: at the beginning of a turn, and after all tool
 * results, before the next model call. `restsAs`: what the job's status is again if a turn was to
 * begin with these and all of them were withdrawn. Only then is a status returned.
 */
export async function readWaiting(
  job: JobState,
  { store }: TurnActivities,
  restsAs: Exclude<JobStatus, 'active'> | null = null,
): Promise<JobStatus | undefined> {
  const instructions = takeAll(job);
  if (instructions.length === 0) return undefined;
  const summary = `${instructions.length} follow-up${instructions.length === 1 ? '' : 's'}`;
  const input = { ...position(job), instructions, ...(restsAs && { restsAs }) };
  try {
    const outcome = await store.readInstructions.executeWithOptions({ summary }, [input]);
    take(job, outcome);
    return outcome.rests;
  } catch (error) {
    // Not read, as far as we know: after a cancel the report drops and names them.
    job.durable.inbox.unshift(...instructions);
    throw error;
  }
}

/** Instructions that no signal has named were read, too: their signals may still come. */
function take(job: JobState, outcome: ReadOutcome): void {
  move(job, outcome);
  const { inbox, seen } = job.durable;
  const read = outcome.alsoRead ?? [];
  seen.push(...read.filter(id => !seen.includes(id)));
  job.durable.inbox = inbox.filter(({ messageId }) => !read.includes(messageId));
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
