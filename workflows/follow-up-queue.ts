import type { ReadInput, ReadOutcome } from '../shared/jobs/activity-types.ts';
import type { DurableState, JobStatus, WaitingInstruction } from '../shared/jobs/job.ts';
import { type JobState, move, position } from './job-state.ts';
import type { TurnActivities } from './retry-policies.ts';
import { localFirst } from './local-first.ts';

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

/**
 * Begins a turn: adds the waiting instructions to the transcript. `restsAs`: the job's status if all
 * of them were withdrawn. Only then is a status returned.
 */
export async function readFirst(
  job: JobState,
  { local, store }: TurnActivities,
  restsAs: Exclude<JobStatus, 'active'> | null,
): Promise<JobStatus | undefined> {
  return read(job, async (instructions, summary) => {
    const either = {
      local: local.readInstructions,
      ordinary: store.readInstructions,
      isLocalFirst: job.hasLocalStore,
    };
    const asked = { ...position(job), instructions, ...(restsAs && { restsAs }) };
    const input = job.hasLocalStore ? { ...asked, hasLocalTurn: true } : asked;
    const outcome = await localFirst<ReadInput, ReadOutcome>(job, either, input, summary);
    job.hasLocalTurn = outcome.hasLocalTurn ?? false;
    return outcome;
  });
}

/**
 * Adds instructions that arrived meanwhile to the transcript, after all tool results and before the
 * next model call. An activity of its own, not a local one: a rewind to the step that follows must
 * find them read.
 */
export async function readMore(job: JobState, { store }: TurnActivities): Promise<void> {
  await read(job, (instructions, summary) =>
    store.readInstructions.executeWithOptions({ summary }, [{ ...position(job), instructions }]),
  );
}

async function read(
  job: JobState,
  call: (instructions: WaitingInstruction[], summary: string) => Promise<ReadOutcome>,
): Promise<JobStatus | undefined> {
  const instructions = takeAll(job);
  if (instructions.length === 0) return undefined;
  const summary = `${instructions.length} follow-up${instructions.length === 1 ? '' : 's'}`;
  try {
    const outcome = await call(instructions, summary);
    move(job, outcome);
    job.durable.seen.push(...(outcome.lost ?? []));
    return outcome.rests;
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
