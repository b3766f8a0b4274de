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
export async function begin(job: JobState, activities: TurnActivities): Promise<void> {
  const { store } = activities;
  await shorten(job, activities);
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
  activities: TurnActivities,
  restsAs: Exclude<JobStatus, 'active'> | null = null,
): Promise<Pick<ReadOutcome, 'rests' | 'declined'>> {
  const { store } = activities;
  await shorten(job, activities);
  const instructions = takeAll(job);
  if (instructions.length === 0) return {};
  job.reading = instructions;
  const summary = `${instructions.length} follow-up${instructions.length === 1 ? '' : 's'}`;
  const { waitingFor } = job.durable;
  const input = {
    ...position(job),
    instructions,
    ...(restsAs && { restsAs }),
    ...(waitingFor && { waitingFor }),
  };
  try {
    const outcome = await store.readInstructions.executeWithOptions({ summary }, [input]);
    take(job, outcome);
    // With an instruction that was withdrawn, the job waits as before.
    if (!outcome.rests) Object.assign(job.durable, { waitingFor: null, wait: null });
    return outcome;
  } catch (error) {
    // Not read, as far as we know: after a cancel the report drops and names them.
    job.durable.inbox.unshift(...instructions);
    throw error;
  } finally {
    job.reading = [];
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

/** Under the 2 MB that Temporal allows for the input of an activity. */
const MAX_INPUT_BYTES = 1_500_000;

/** Stores instructions that only signals have brought. After that, ids are enough. */
export async function storeInbox(job: JobState, { store }: TurnActivities): Promise<void> {
  const unstored = () => job.durable.inbox.filter(item => item.prompt !== undefined);
  for (let part = fitting(unstored()); part.length > 0; part = fitting(unstored())) {
    const { at } = await store.storeInstructions({ ...position(job), instructions: part });
    job.durable.at = at;
    for (const item of part) delete item.prompt;
  }
}

/**
 * Before the inbox travels to an activity: what is too long for its input is stored first. Each
 * signal is within its limit, and many together are not.
 */
export async function shorten(job: JobState, activities: TurnActivities): Promise<void> {
  if (fitting(job.durable.inbox).length < job.durable.inbox.length)
    await storeInbox(job, activities);
}

/** The first of them that are not too long together. */
function fitting(instructions: readonly WaitingInstruction[]): WaitingInstruction[] {
  let bytes = 0;
  const over = instructions.findIndex((item, i) => {
    bytes += utf8.encode(JSON.stringify(item)).length;
    return i > 0 && bytes > MAX_INPUT_BYTES;
  });
  return instructions.slice(0, over < 0 ? instructions.length : over);
}

const utf8 = new TextEncoder();

/**
 * Makes the row this run's. Of a run that did nothing the row knows nothing, and the one after it
 * would look as if the job had been taken back: it does not continue the run that has the row.
 */
export async function takeRow(job: JobState, { store }: TurnActivities): Promise<void> {
  const { at } = await store.storeInstructions({ ...position(job), instructions: [] });
  job.durable.at = at;
}
