import { docentNote, TAKEN_BACK } from '../shared/agent-text.ts';
import type { JobEvent } from '../shared/jobs/job.ts';
import type { ActivityDeps } from './deps.ts';
import { once } from './once.ts';
import {
  overdueInstructions,
  storeWaiting,
  takeInstructions,
  waitingInstructions,
} from '../shared/db/jobs/queue.ts';
import { releaseBranches } from '../shared/db/jobs/publications.ts';
import { appendEntry, readTranscript } from '../shared/db/jobs/transcript.ts';
import { lastWords } from './turn-text.ts';
import type { Archived, ArchiveInput, Reported, ReportInput } from './types.ts';

const QUOTED_PROMPTS = 3;

/** The end of a turn: status, what people are told, and the instructions that a cancel dropped. */
export function createReportTurn(deps: ActivityDeps) {
  return async function reportTurn(input: ReportInput): Promise<Reported> {
    return once<Omit<Reported, 'at'>>(deps, input, async (tx, row) => {
      await storeWaiting(tx, input.jobId, input.dropped);
      const dropped = await takeInstructions(
        tx,
        input.jobId,
        input.dropped.map(item => item.messageId),
        'dropped',
        input.turn,
      );
      const said =
        input.message ?? lastWords(await readTranscript(tx, input.transcriptHead), input.turn);
      const messageToUser =
        dropped.length === 0
          ? said
          : `${said}\n\n${dropped.length} waiting instruction${dropped.length === 1 ? ' was' : 's were'} dropped: ${dropped
              .slice(0, QUOTED_PROMPTS)
              .map(item => `“${item.prompt.slice(0, 80)}”`)
              .join(', ')}${dropped.length > QUOTED_PROMPTS ? ', …' : ''}`;
      // A caller who was just told "active" must not read anything else before their instruction
      // was carried out.
      const status =
        (await waitingInstructions(tx, input.jobId)).length > 0
          ? ('active' as const)
          : input.status;
      const events: JobEvent[] = [
        ...(input.status === 'failed'
          ? [{ type: 'error' as const, message: messageToUser, turn: input.turn }]
          : []),
        {
          type: 'finish',
          status: input.status,
          haltReason: input.haltReason,
          messageToUser,
          prLink: row.pr_link,
          turn: input.turn,
        },
      ];
      const transcriptHead = input.takenBack
        ? await appendEntry(tx, {
            jobId: input.jobId,
            parent: input.transcriptHead,
            kind: 'user',
            turn: input.turn,
            step: input.step,
            content: [{ type: 'text', text: docentNote(TAKEN_BACK) }],
          })
        : input.transcriptHead;
      return {
        result: { status, messageToUser, transcriptHead, ref: row.ref, prLink: row.pr_link },
        change: {
          state: status,
          halt_reason: input.haltReason,
          message_to_user: messageToUser,
          transcript_head: transcriptHead,
          workspace_head: input.workspaceHead,
          finished_at: new Date(),
        },
        events,
      };
    });
  };
}

/** The end of the job: it keeps its status and takes no more instructions. */
export function createArchiveJob(deps: ActivityDeps) {
  return async function archiveJob(input: ArchiveInput): Promise<Archived> {
    return once<Omit<Archived, 'at'>>(deps, input, async (tx, row) => {
      await storeWaiting(tx, input.jobId, input.waiting ?? []); // a script's: dropped, but not without a trace
      const waiting = await waitingInstructions(tx, input.jobId);
      if (waiting.length > 0 && !input.dropWaiting) {
        const overdue = await overdueInstructions(tx, input.jobId);
        return { result: { archivedAt: null, overdue: overdue.map(messageId => ({ messageId })) } };
      }
      await takeInstructions(tx, input.jobId, waiting, 'dropped', input.turn);
      const archivedAt = row.archived_at ?? new Date();
      const state = input.status === 'completed' ? 'completed' : 'failed';
      await releaseBranches(tx, input.jobId);
      return {
        result: { archivedAt: archivedAt.toISOString() },
        change: { archived_at: archivedAt, state },
      };
    });
  };
}
