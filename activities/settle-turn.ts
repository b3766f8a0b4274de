import { Context } from '@temporalio/activity';
import { type CutReason, isCut, whyCut } from '../shared/jobs/cut-answers.ts';
import { docentNote } from '../shared/agent-text.ts';
import type { JobEvent } from '../shared/jobs/job.ts';
import { checkJob } from '../agent/checks/check-job.ts';
import { type Finding, reported, toRepair } from '../agent/checks/finding.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { refusedConstructs } from '../db/jobs/refused-constructs.ts';
import { isPlanning, NO_PLAN_YET } from '../agent/planning/phase.ts';
import { loadWorkspace } from '../agent/job-workspace.ts';
import { entryText } from '../agent/turn-text.ts';
import { hasWrittenCall } from '../shared/text/inner-text.ts';
import { once } from './once.ts';
import { openActivity } from './open-activity.ts';
import { undonePublications, unopenedPublications } from '../db/jobs/publications.ts';
import type { JobProject } from '../db/jobs/job-project.ts';
import {
  type Block,
  newEntry,
  readTranscript,
  type TranscriptEntry,
} from '../db/jobs/transcript.ts';
import type { Settled, SettleInput } from '../shared/jobs/activity-types.ts';

const MAX_FINDINGS_TOLD = 30;

/**
 * The model stopped without `finish` and `ask`. An answer that was cut or empty is asked for again.
 * With edits it is asked once whether it has finished, after the checks; if it does not say, they
 * are published as a draft. Without edits, what it said is the outcome.
 */
export function createSettleTurn(deps: ActivityDeps) {
  return async function settleTurn(input: SettleInput): Promise<Settled> {
    const opened = await openActivity<Settled>(deps, input);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    const transcript = await readTranscript(deps.pool, input.transcriptHead);
    const planning = isPlanning(transcript);
    const { edited, findings } = planning
      ? { edited: false, findings: [] }
      : await checkEdits(deps, project, input);
    const note =
      writtenCallNote(input, transcript) ??
      noteFor(input, edited, findings) ??
      planNote(input, planning);
    const publish = edited || (!planning && (await hasUnfinished(deps, project, input)));

    const { jobId, turn, step, transcriptHead: parent, workspaceHead } = input;
    const events: JobEvent[] =
      findings.length === 0 ? [] : [{ type: 'checks', findings: findings.map(reported), turn }];
    if (note === null) {
      const refused = refusedConstructs(transcript, turn).length > 0;
      const next = publish ? 'publish' : refused ? 'approval' : 'rest';
      const result = {
        transcriptHead: parent,
        workspaceHead,
        next,
        ...(edited && { unfinished: true as const }),
      } as const;
      return once<Omit<Settled, 'at'>>(deps, input, { result, events });
    }
    const content: Block[] = [{ type: 'text', text: docentNote(note.text) }];
    const entry = newEntry({ jobId, parent, kind: 'user', turn, step, content });
    return once<Omit<Settled, 'at'>>(deps, input, {
      result: {
        transcriptHead: entry.id,
        workspaceHead,
        next: 'again',
        ...(note.asked && { asked: true as const }),
      },
      change: { transcriptHead: entry.id },
      events,
      parts: [entry.part],
    });
  };
}

/** What the model has to fix, if it has edited anything. */
async function checkEdits(
  deps: ActivityDeps,
  project: JobProject,
  { workspaceHead, transcriptHead, repairRoundsLeft }: SettleInput,
): Promise<{ edited: boolean; findings: Finding[] }> {
  if (!workspaceHead) throw new Error('no workspace');
  const signal = Context.current().cancellationSignal;
  const { workspace } = await loadWorkspace(deps, project, workspaceHead, signal);
  const edited = (await workspace.changes()).size > 0;
  if (!edited) return { edited, findings: [] };
  const findings = await checkJob(deps, project, { workspace, transcriptHead, signal });
  const isFirstRound = repairRoundsLeft >= deps.config.JOB_MAX_MEND_ROUNDS;
  return { edited, findings: toRepair(findings, isFirstRound) };
}

/**
 * Without edits too, what a rewind undid must go from the branch, and what an old run pushed needs
 * its pull request.
 */
async function hasUnfinished(
  { pool }: ActivityDeps,
  { branch }: JobProject,
  { jobId, workspaceHead }: SettleInput,
): Promise<boolean> {
  const [undone, unopened] = await Promise.all([
    undonePublications(pool, jobId, branch, workspaceHead),
    unopenedPublications(pool, jobId, branch),
  ]);
  return undone.length > 0 || unopened.length > 0;
}

type Note = Pick<Settled, 'asked'> & { text: string };

/** The note for the model, or null if the turn may end. */
function noteFor(
  { stopReason, stoppedBy, repairRoundsLeft, wasAsked = false }: SettleInput,
  edited: boolean,
  findings: Finding[],
): Note | null {
  if (isCut(stopReason)) return { text: cutNote(stopReason, stoppedBy) };
  if (stopReason === 'pause_turn') return { text: 'Continue.' };
  if (stopReason === 'empty') return { text: EMPTY };
  if (findings.length > 0 && repairRoundsLeft > 0) return { text: findingsNote(findings) };
  return edited && !wasAsked ? { text: FINISHED_OR_NOT, asked: true } : null;
}

/** Once a turn: a model may have written as text what it meant to call. */
function writtenCallNote(
  { stopReason, wasAsked }: SettleInput,
  transcript: readonly TranscriptEntry[],
): Note | undefined {
  if (stopReason !== 'end_turn' || wasAsked) return undefined;
  const last = transcript.at(-1);
  if (last?.kind !== 'assistant' || !hasWrittenCall(entryText(last))) return undefined;
  return { text: WRITTEN_CALL, asked: true };
}

/** Once a turn: in this phase, an answer alone is the exception. */
function planNote({ stopReason, wasAsked }: SettleInput, planning: boolean): Note | null {
  return planning && stopReason === 'end_turn' && !wasAsked
    ? { text: NO_PLAN_YET, asked: true }
    : null;
}

const WRITTEN_CALL =
  'Your answer has a tool call as text, and text runs nothing. Make the call with the tools of ' +
  'this request. If you cannot, say in plain words why.';

const EMPTY =
  'Your answer was empty. ' +
  'Carry out the instruction with the tools, or explain why you cannot.';

const FINISHED_OR_NOT =
  'You stopped with edits that are not published, and called neither finish nor ask. Which is it? ' +
  'If the work is done, call finish. If you need an answer first, call ask. ' +
  'If something is left to do, do it.';

function cutNote(reason: CutReason, stoppedBy: string | undefined): string {
  const compacted =
    reason === 'model_context_window_exceeded'
      ? ' Old tool results were dropped to make room: call the tool again for what you still need.'
      : '';
  const smaller = 'Continue from there in smaller steps.';
  return `Your answer was cut off ${whyCut(reason, stoppedBy)}.${compacted} ${smaller}`;
}

function findingsNote(findings: Finding[]): string {
  const lines = findings.slice(0, MAX_FINDINGS_TOLD).map(({ path, line, message }) => {
    const place = line === null ? path : `${path}:${line}`;
    return `- ${place} ${message}`;
  });
  if (findings.length > MAX_FINDINGS_TOLD)
    lines.push(`- and ${findings.length - MAX_FINDINGS_TOLD} more`);
  return `Your edits break the following. Fix it, then call finish.\n${lines.join('\n')}`;
}
