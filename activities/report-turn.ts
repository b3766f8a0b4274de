import { docentNote, TAKEN_BACK } from '../shared/agent-text.ts';
import type { Job } from '../db/jobs/job.ts';
import type { Transaction } from '../db/pool.ts';
import { newId } from '../shared/ids.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import type { JobEvent } from '../shared/jobs/job.ts';
import type { FailureCode } from '../shared/jobs/failures.ts';
import type { Result } from '../shared/jobs/result.ts';
import { ANSWER_WORDS, waitLength } from '../shared/jobs/waiting.ts';
import { jobTurns } from '../shared/metrics/metrics.ts';
import { once } from './once.ts';
import {
  insertInstruction,
  overdueInstructions,
  storeWaiting,
  takeInstructions,
  waitingInstructions,
} from '../db/jobs/instructions.ts';
import { setBudget } from '../db/jobs/jobs.ts';
import { publicationsSince } from '../db/jobs/publications.ts';
import { releaseBranches } from '../db/jobs/branch-holds.ts';
import { resultOfCompletedTurn } from '../db/jobs/turn-result.ts';
import { appendEntry, readTranscript } from '../db/jobs/transcript.ts';
import { publishedText, unpublishedText } from '../agent/turn-text.ts';
import type {
  Archived,
  ArchiveInput,
  Reported,
  ReportInput,
} from '../shared/jobs/activity-types.ts';

const QUOTED_PROMPTS = 3;
const QUOTED_CHARACTERS = 80;

/** The end of a turn: status, message for people, and the instructions that a cancel dropped. */
export function createReportTurn(deps: ActivityDeps) {
  return async function reportTurn(input: ReportInput): Promise<Reported> {
    const reported = await once<Omit<Reported, 'at'>>(deps, input, async (tx, row) => {
      const { jobId, haltReason } = input;
      const outcome = await outcomeOf(tx, input);
      const messageToUser = await outcomeText(tx, input);
      // A caller who was just told "active" must not read anything else before their instruction
      // was carried out.
      const resumes = await resumeIfRaised(tx, row, input);
      const waiting = await waitingInstructions(tx, jobId);
      const status = waiting.length > 0 ? ('active' as const) : input.status;
      const transcriptHead = input.takenBack
        ? await noteTakenBack(tx, input)
        : input.transcriptHead;
      return {
        result: {
          status,
          messageToUser,
          outcome,
          transcriptHead,
          ref: row.ref,
          prLink: row.prLink,
          ...(input.waitsFor && { waits: waitLength(deps.config) }),
          ...(resumes && { resumes }),
        },
        change: {
          waitingFor: input.waitsFor ?? null,
          state: status,
          haltReason,
          messageToUser,
          cancelled: input.cancelled,
          transcriptHead,
          workspaceHead: input.workspaceHead,
          finishedAt: new Date(),
        },
        events: endEvents(input, outcome, messageToUser, row.prLink),
      };
    });
    const { outcome } = reported;
    if (outcome) jobTurns.inc({ outcome, code: outcome === 'failed' ? codeOf(input) : '' });
    return reported;
  };
}

/** A budget that was raised after the call that it refused. */
async function resumeIfRaised(
  tx: Transaction,
  { budgetMicroUsd, costMicroUsd }: Job,
  { jobId, waitsFor }: ReportInput,
): Promise<string | undefined> {
  if (waitsFor !== 'budget' || budgetMicroUsd === null || costMicroUsd >= budgetMicroUsd)
    return undefined;
  const messageId = newId('msg');
  const answer = { verb: 'raise', budgetMicroUsd } as const;
  await insertInstruction(tx, { jobId, messageId, prompt: ANSWER_WORDS.raise, answer });
  return messageId;
}

function endEvents(
  input: ReportInput,
  outcome: Result,
  messageToUser: string,
  prLink: string | null,
): JobEvent[] {
  const { status, haltReason, cancelled, turn, waitsFor } = input;
  return [
    ...(waitsFor
      ? [{ type: 'waiting' as const, waitingFor: waitsFor, state: 'began' as const, turn }]
      : []),
    ...(status === 'failed' ? [{ type: 'error' as const, message: messageToUser, turn }] : []),
    {
      ...{ type: 'finish', status, haltReason, messageToUser, prLink, outcome },
      ...(outcome === 'failed' && { code: codeOf(input) }),
      ...(cancelled && { cancelled: true as const }),
      turn,
    },
  ];
}

async function outcomeOf(
  tx: Transaction,
  { cancelled, status, jobId, turn }: ReportInput,
): Promise<Result> {
  if (cancelled) return 'cancelled';
  return status === 'failed' ? 'failed' : await resultOfCompletedTurn(tx, jobId, turn);
}

function codeOf({ code = 'internal' }: ReportInput): FailureCode {
  return code;
}

/** The message for people; drops the instructions of a cancelled turn, and names them. */
async function outcomeText(tx: Transaction, input: ReportInput): Promise<string> {
  const { jobId, turn } = input;
  await storeWaiting(tx, jobId, input.dropped);
  const ids = input.dropped.map(item => item.messageId);
  const taken = ids.length === 0 ? [] : await takeInstructions(tx, jobId, ids, 'dropped', turn);
  // A budget is not an instruction of the turn that ends.
  for (const { answer } of taken)
    if (answer?.verb === 'raise') await setBudget(tx, jobId, answer.budgetMicroUsd);
  const dropped = taken.filter(({ answer }) => answer?.verb !== 'raise');
  const text = input.message ?? (await textOfCompleted(tx, input));
  if (dropped.length === 0) return text;
  const quoted = dropped
    .slice(0, QUOTED_PROMPTS)
    .map(item => `“${item.prompt.slice(0, QUOTED_CHARACTERS)}”`);
  if (dropped.length > QUOTED_PROMPTS) quoted.push('…');
  const were = dropped.length === 1 ? 'instruction was' : 'instructions were';
  return `${text}\n\n${dropped.length} waiting ${were} dropped: ${quoted.join(', ')}`;
}

async function textOfCompleted(
  tx: Transaction,
  { jobId, turn, transcriptHead }: ReportInput,
): Promise<string> {
  const transcript = await readTranscript(tx, transcriptHead);
  const published = await publicationsSince(tx, jobId, turn);
  return published.length > 0 ? publishedText(transcript, turn) : unpublishedText(transcript, turn);
}

function noteTakenBack(
  tx: Transaction,
  { jobId, transcriptHead, turn, step }: ReportInput,
): Promise<string> {
  return appendEntry(tx, {
    jobId,
    parent: transcriptHead,
    kind: 'user',
    turn,
    step,
    content: [{ type: 'text', text: docentNote(TAKEN_BACK) }],
  });
}

/** The end of the job: it keeps its status and accepts no more instructions. */
export function createArchiveJob(deps: ActivityDeps) {
  return async function archiveJob(input: ArchiveInput): Promise<Archived> {
    return once<Omit<Archived, 'at'>>(deps, input, async (tx, row) => {
      // A script's: dropped, but not without a trace.
      await storeWaiting(tx, input.jobId, input.waiting);
      const waiting = await waitingInstructions(tx, input.jobId);
      if (waiting.length > 0 && !input.dropWaiting) {
        const overdue = await overdueInstructions(tx, input.jobId);
        return { result: { archivedAt: null, overdue: overdue.map(messageId => ({ messageId })) } };
      }
      await takeInstructions(tx, input.jobId, waiting, 'dropped', input.turn);
      const archivedAt = row.archivedAt ?? new Date();
      const state = input.status === 'completed' ? 'completed' : 'failed';
      await releaseBranches(tx, input.jobId);
      return {
        result: { archivedAt: archivedAt.toISOString() },
        change: { archivedAt, state, waitingFor: null },
      };
    });
  };
}
