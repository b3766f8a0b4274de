import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { countActiveJobs } from '../db/jobs/jobs.ts';
import type { Transaction } from '../db/pool.ts';
import type { Job } from '../db/jobs/job.ts';
import type { JobEvent, JobStatus } from '../shared/jobs/job.ts';
import { attachedImages, NOTHING_ATTACHED } from '../agent/attached-images.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { type Done, once } from './once.ts';
import {
  instructionsToBegin,
  storeWaiting,
  type Taken,
  takeInstructions,
  waitingBefore,
  waitingInstructions,
} from '../db/jobs/instructions.ts';
import { newEntry } from '../db/jobs/transcript.ts';
import { execute, type StatementPart } from '../db/statement-part.ts';
import type { ReadInput, ReadOutcome, Stamp } from '../shared/jobs/activity-types.ts';

const ROOM_RETRY = '3s';

/**
 * Brings instructions into the transcript, in the order in which they came, and marks them as
 * taken. A job's first one also turns a row that waits for its workflow into a live one, or reports
 * that it was given up.
 */
export function createReadInstructions(deps: ActivityDeps) {
  return async function readInstructions(input: ReadInput): Promise<ReadOutcome> {
    return once<Omit<ReadOutcome, 'at'>>(deps, input, async (tx, row, isRestored) => {
      if (input.beginsJob && row.state === 'given_up') return givenUp(input);
      if (!input.beginsJob) await waitForRoom(tx, deps, row);
      const asked = input.instructions.map(item => item.messageId);
      await storeWaiting(tx, input.jobId, input.instructions);
      const alsoRead = await notNamed(tx, input, isRestored);
      const ids = [...alsoRead, ...asked];
      const taken = await takeInstructions(tx, input.jobId, ids, 'taken', input.turn);
      return taken.length === 0 && input.restsAs
        ? rest(tx, input, input.restsAs)
        : read(deps, tx, row, input, { taken, alsoRead });
    });
  };
}

function givenUp({ jobId, transcriptHead, workspaceHead }: ReadInput) {
  const message = 'the row was given up before the workflow began';
  Context.current().log.warn(message, { jobId });
  return { result: { transcriptHead, workspaceHead, isGivenUp: true } };
}

/** What a job came with, or those whose signals a restored Temporal has lost. */
async function notNamed(
  tx: Transaction,
  { jobId, instructions, beginsJob }: ReadInput,
  isRestored: boolean,
): Promise<string[]> {
  const named = instructions.map(({ messageId }) => messageId);
  if (!beginsJob) return isRestored ? waitingBefore(tx, jobId, named) : [];
  return (await instructionsToBegin(tx, jobId)).filter(id => !named.includes(id));
}

/**
 * The API counts active jobs before it wakes one; a script's signal comes past it. Such a job waits
 * here until another one of its project has finished, and its row stays idle.
 */
async function waitForRoom(tx: Transaction, { config }: ActivityDeps, row: Job): Promise<void> {
  if (row.state === 'active') return;
  const most = config.JOB_MAX_ACTIVE_PER_PROJECT;
  if ((await countActiveJobs(tx, row.projectId)) < most) return;
  throw ApplicationFailure.create({
    type: 'internal',
    message: `The project has ${most} active jobs (JOB_MAX_ACTIVE_PER_PROJECT): waiting for one to finish.`,
    nextRetryDelay: ROOM_RETRY,
  });
}

/** There is nothing to begin a turn with: all instructions were withdrawn. */
async function rest(
  tx: Transaction,
  { jobId, transcriptHead, workspaceHead }: ReadInput,
  restsAs: Exclude<JobStatus, 'active'>,
): Promise<Done<Omit<ReadOutcome, 'at'>>> {
  const waiting = await waitingInstructions(tx, jobId);
  const rests = waiting.length > 0 ? 'active' : restsAs;
  return { result: { transcriptHead, workspaceHead, rests }, change: { state: rests } };
}

async function read(
  deps: ActivityDeps,
  tx: Transaction,
  row: Job,
  { jobId, turn, step, transcriptHead, workspaceHead, beginsJob }: ReadInput,
  { taken, alsoRead }: { taken: Taken[]; alsoRead: string[] },
): Promise<Done<Omit<ReadOutcome, 'at'>>> {
  let head = transcriptHead;
  const canSeeImages = async () =>
    (await deps.featuresOf(row.requestedModel ?? row.model)).has('images');
  const told: JobEvent[] = [];
  let added: StatementPart | undefined;
  for (const { role, prompt, messageId, hasUploads } of taken) {
    const { blocks, uploads } = hasUploads
      ? await attachedImages(tx, jobId, messageId, canSeeImages)
      : NOTHING_ATTACHED;
    const attached = uploads.length > 0 && { uploads };
    told.push({ type: 'instruction', messageId, prompt, ...attached, turn });
    if (role === 'system') continue; // part of the turn's system prompt: see prepare
    // The next one is below it; the last goes with the row.
    if (added) await execute(tx, added);
    const entry = newEntry({
      jobId,
      parent: head,
      kind: role === 'assistant' ? 'assistant' : 'user',
      turn,
      step,
      content: [{ type: 'text', text: prompt }, ...blocks],
      meta: { messageId },
    });
    head = entry.id;
    added = entry.part;
  }
  const isResumed = row.state !== 'active' || (step === 0 && turn > 1);
  const resumed: JobEvent[] = isResumed ? [{ type: 'status', status: 'active', turn }] : [];
  return {
    result: { transcriptHead: head, workspaceHead, ...(alsoRead.length > 0 && { alsoRead }) },
    change: {
      state: 'active',
      ...(beginsJob && { requestedModel: row.requestedModel ?? row.model }),
      transcriptHead: head,
      turns: turn,
      finishedAt: null,
      archivedAt: null,
    },
    events: [...resumed, ...told],
    ...(added && { parts: [added] }),
  };
}

/** Stores what waits, so that only ids need to travel into the next run. */
export function createStoreInstructions(deps: ActivityDeps) {
  return async function storeInstructions(input: ReadInput): Promise<{ at: Stamp }> {
    return once(deps, input, async tx => {
      await storeWaiting(tx, input.jobId, input.instructions);
      return { result: {} };
    });
  };
}
