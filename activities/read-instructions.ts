import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { allowForms, countActiveJobs, setBudget } from '../db/jobs/jobs.ts';
import type { Transaction } from '../db/pool.ts';
import type { Job } from '../db/jobs/job.ts';
import type { JobEvent, JobStatus } from '../shared/jobs/job.ts';
import { attachedImages, NOTHING_ATTACHED } from '../agent/attached-images.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { allowedText } from '../agent/planning/constructs.ts';
import { refusedConstructs } from '../db/jobs/refused-constructs.ts';
import { decisionText, newestPlan, PLAN_FIRST } from '../agent/planning/phase.ts';
import { type Done, once } from './once.ts';
import {
  instructionsToBegin,
  storeWaiting,
  type Taken,
  takeInstructions,
  waitingBefore,
  waitingInstructions,
} from '../db/jobs/instructions.ts';
import type { Answer } from '../shared/jobs/waiting.ts';
import { type NewEntry, newEntry, readMarks, readTranscript } from '../db/jobs/transcript.ts';
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
      const taken = await decide(tx, input, ids);
      return taken.length === 0 && input.restsAs
        ? rest(tx, input, input.restsAs)
        : read(deps, tx, row, input, { taken, alsoRead });
    });
  };
}

/**
 * Takes the instructions, and of the answers of people the first one: a later one was meant for what
 * is decided already, and is dropped.
 */
async function decide(tx: Transaction, input: ReadInput, ids: string[]): Promise<Taken[]> {
  const { jobId, turn, waitingFor } = input;
  let waits = waitingFor;
  const late: string[] = [];
  const counted: Taken[] = [];
  for (const each of await takeInstructions(tx, jobId, ids, 'taken', turn)) {
    const { answer, messageId } = each;
    if (answer?.verb === 'raise') await setBudget(tx, jobId, answer.budgetMicroUsd);
    if (answer?.verb === 'approve' && waits === 'approval')
      await allowRefused(tx, input, answer.allow);
    if (!answer || (answer.verb === 'raise' ? waits === 'budget' : waits === 'approval'))
      counted.push(each);
    else if (answer.verb !== 'raise') late.push(messageId);
    if (waits === 'approval' && answer?.verb !== 'raise') waits = undefined;
  }
  if (late.length > 0) await takeInstructions(tx, jobId, late, 'dropped', turn);
  return counted;
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
  input: ReadInput,
  { taken, alsoRead }: { taken: Taken[]; alsoRead: string[] },
): Promise<Done<Omit<ReadOutcome, 'at'>>> {
  const { turn, step, workspaceHead, beginsJob, waitingFor } = input;
  const { head, told, parts } = await append(deps, tx, row, input, taken);
  const isResumed = row.state !== 'active' || (step === 0 && turn > 1);
  const resumed: JobEvent[] = isResumed ? [{ type: 'status', status: 'active', turn }] : [];
  return {
    result: {
      transcriptHead: head,
      workspaceHead,
      ...(alsoRead.length > 0 && { alsoRead }),
      ...declinedBy(taken),
    },
    change: {
      state: 'active',
      ...(beginsJob && { requestedModel: row.requestedModel ?? row.model }),
      transcriptHead: head,
      turns: turn,
      ...(waitingFor && { waitingFor: null }),
      finishedAt: null,
      archivedAt: null,
    },
    events: [...resumed, ...told],
    ...(parts.length > 0 && { parts }),
  };
}

/** Entries of the transcript, each below the one before; the last goes with the row. */
async function append(
  deps: ActivityDeps,
  tx: Transaction,
  row: Job,
  { jobId, turn, step, transcriptHead }: ReadInput,
  taken: readonly Taken[],
): Promise<{ head: string | null; told: JobEvent[]; parts: StatementPart[] }> {
  let head = transcriptHead;
  const canSeeImages = async () =>
    (await deps.featuresOf(row.requestedModel ?? row.model)).has('images');
  const told: JobEvent[] = [];
  let added: StatementPart | undefined;
  for (const each of taken) {
    const { role, prompt, messageId, hasUploads, answer } = each;
    const { blocks, uploads } = hasUploads
      ? await attachedImages(tx, jobId, messageId, canSeeImages)
      : NOTHING_ATTACHED;
    told.push({
      ...{ type: 'instruction', messageId, prompt },
      ...(uploads.length > 0 && { uploads }),
      ...(answer && { answer: answer.verb }),
      turn,
    });
    if (role === 'system') continue; // part of the turn's system prompt: see prepare
    if (added) await execute(tx, added);
    const said = await saidIn(tx, each, { head, turn });
    const entry = newEntry({
      jobId,
      parent: head,
      kind: role === 'assistant' ? 'assistant' : 'user',
      turn,
      step,
      ...said,
      content: [...said.content, ...blocks],
    });
    head = entry.id;
    added = entry.part;
  }
  return { head, told, parts: added ? [added] : [] };
}

async function allowRefused(
  tx: Transaction,
  { jobId, transcriptHead, turn }: ReadInput,
  scope: 'job' | 'project' = 'job',
): Promise<void> {
  const refused = refusedConstructs(await readMarks(tx, transcriptHead, turn - 1), turn - 1);
  const forms = refused.map(({ form }) => form);
  if (forms.length > 0) await allowForms(tx, jobId, forms, scope);
}

function declinedBy(taken: readonly Taken[]): Pick<ReadOutcome, 'declined'> {
  return taken.length === 1 && taken[0]?.answer?.verb === 'decline' ? { declined: true } : {};
}

/** What the model gets of an instruction, or of a decision below `head`. */
async function saidIn(
  tx: Transaction,
  { messageId, prompt, answer, planFirst }: Taken,
  { head, turn }: { head: string | null; turn: number },
): Promise<Pick<NewEntry, 'content' | 'meta'>> {
  const text = answer ? await decisionOf(tx, answer, head, turn) : prompt;
  const texts = planFirst ? [text, PLAN_FIRST] : [text];
  return {
    content: texts.map(each => ({ type: 'text', text: each })),
    meta: {
      messageId,
      ...(answer && { answer: answer.verb }),
      ...(planFirst && { planFirst }),
    },
  };
}

/** What a person decided about the turn before. */
async function decisionOf(
  tx: Transaction,
  answer: Answer,
  head: string | null,
  turn: number,
): Promise<string> {
  const transcript = await readTranscript(tx, head);
  const refused = refusedConstructs(transcript, turn - 1);
  return answer.verb === 'approve' && refused.length > 0
    ? allowedText(refused)
    : decisionText(answer, newestPlan(transcript));
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
