import { Context } from '@temporalio/activity';
import { docentNote } from '../shared/agent-text.ts';
import { type JobProject, readJobProject } from '../db/jobs/job-project.ts';
import { branchHold } from '../db/jobs/branch-holds.ts';
import { readCallerSystem } from '../db/jobs/instructions.ts';
import { type Block, newEntry } from '../db/jobs/transcript.ts';
import { readRevision, type Revision, type Touched } from '../db/jobs/workspace-revisions.ts';
import type { Snapshot } from '../shared/workspace.ts';
import type { ActivityDeps, Attempt } from '../agent/deps.ts';
import { adoptCommits } from '../agent/prepare/adopt-commits.ts';
import {
  type EditedFiles,
  editedFiles,
  readEdits,
  storedRevision,
} from '../agent/job-workspace.ts';
import { type Done, once } from './once.ts';
import { openActivity } from './open-activity.ts';
import { readAgentsFiles, agentPrompt } from '../agent/prompts/system-prompt.ts';
import type { Prepared, PrepareInput } from '../shared/jobs/activity-types.ts';
import { openWorkspace } from '../agent/workspace.ts';
import {
  carryCommits,
  type Merged,
  overlay,
  type OwnCommit,
  takeBack,
} from '../agent/prepare/merge-conflicts.ts';
import { conflictNotes, overtakenNote } from '../agent/prepare/notes.ts';
import { planEdits, planStart, type Start } from '../agent/prepare/plan.ts';
import {
  readAncestry,
  type ReadHeads,
  readHeads,
  readHistory,
} from '../agent/prepare/read-facts.ts';
import { type Told, whatToTell } from '../agent/prepare/orient.ts';

/** What a turn begins with. */
interface Beginning extends Omit<Told, 'dateNotes'> {
  start: Start;
  files: EditedFiles;
  conflicts: string[];
  system: string;
  /** Told to the model. */
  notes: string[];
}

/**
 * Begins a turn: brings the workspace onto the newest commit of the job's branch (else of the
 * base), carrying unpublished edits along, and fixes the system prompt for the turn.
 */
export function createPrepare(deps: ActivityDeps) {
  return async function prepare(input: PrepareInput): Promise<Prepared> {
    const opened = await openActivity<Prepared>(deps, input);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    const { heads, isNewer } = await settledHeads(deps, input, project);
    const start = planStart(heads);
    const [snapshot, base] = await readFiles(deps, project, start);
    const system = await readSystemPrompt(deps, project, base);
    const history = await readHistory(deps, heads, input);
    const plan = planEdits(start, history, await readAncestry(deps, project, start, history));
    const [undone, carried] = await Promise.all([
      readRevisions(deps, plan.takeBack),
      readRevisions(deps, plan.carry),
    ]);
    const merged = await merge(deps, project, { undone, carried }, snapshot);
    // A file counts as changed compared with what it was before the job, also if only an undone
    // commit had changed it.
    const touched: Touched = Object.assign(
      {},
      ...undone.map(revision => revision.touched),
      history.previous?.touched,
    );
    const blank: Revision = {
      id: '',
      base_commit: start.commit,
      files: {},
      touched: start.overtaken ? {} : touched,
    };
    const { dateNotes, ...told } = await whatToTell(
      deps,
      project,
      input,
      { start, snapshot },
      attempt(),
    );
    const beginning: Beginning = {
      start,
      files: await editedFiles(openWorkspace(snapshot, merged.edits), blank),
      conflicts: merged.conflicts.map(({ path }) => path),
      system,
      notes: [
        ...overtakenNote(start.overtaken, Object.keys(history.previous?.touched ?? {})),
        ...conflictNotes(merged.conflicts),
        ...dateNotes,
      ],
      ...told,
    };
    // Adopted commits have brought their branch and pull request into the row.
    const now = isNewer ? await readJobProject(deps.pool, input.jobId) : project;
    return once<Omit<Prepared, 'at'>>(deps, input, begin(deps, now ?? project, input, beginning));
  };
}

/** `isNewer`: the heads were read again, since commits of the job's branch were adopted. */
async function settledHeads(
  deps: ActivityDeps,
  input: PrepareInput,
  project: JobProject,
): Promise<{ heads: ReadHeads; isNewer: boolean }> {
  const heads = await readHeads(deps, project);
  const isNewer = await adoptCommits(deps, input, project, heads, attempt());
  return { heads: isNewer ? await readHeads(deps, project) : heads, isNewer };
}

function attempt(): Attempt {
  const { cancellationSignal, log, info } = Context.current();
  return { signal: cancellationSignal, log, dueAt: info.currentAttemptScheduledTimestampMs };
}

/** The files of the commit that the turn starts from, and of the base. */
async function readFiles(
  deps: ActivityDeps,
  project: JobProject,
  { commit, baseCommit }: Start,
): Promise<[Snapshot, Snapshot]> {
  const host = deps.hostFor(project);
  const signal = Context.current().cancellationSignal;
  return await Promise.all([
    host.snapshot(project, commit, signal),
    host.snapshot(project, baseCommit, signal),
  ]);
}

async function readSystemPrompt(
  { pool }: ActivityDeps,
  project: JobProject,
  base: Snapshot,
): Promise<string> {
  const [callerSystem, agentsFiles] = await Promise.all([
    readCallerSystem(pool, project.jobId),
    readAgentsFiles(base, project.docsFolder),
  ]);
  return agentPrompt({
    repository: project.repository,
    docsFolder: project.docsFolder,
    baseRef: project.baseRef,
    callerSystem,
    agentsFiles,
  });
}

function readRevisions({ pool }: ActivityDeps, ids: string[]): Promise<Revision[]> {
  return Promise.all(ids.map(id => readRevision(pool, id)));
}

async function merge(
  deps: ActivityDeps,
  project: JobProject,
  { undone, carried }: { undone: Revision[]; carried: Revision[] },
  snapshot: Snapshot,
): Promise<Merged> {
  const signal = Context.current().cancellationSignal;
  const host = deps.hostFor(project);
  const ownCommit = async ({ files, base_commit: parent }: Revision): Promise<OwnCommit> => ({
    changes: await readEdits(deps.pool, files),
    parent: await host.snapshot(project, parent, signal),
  });
  const taken = await takeBack(await Promise.all(undone.map(ownCommit)), snapshot);
  const onto = overlay(snapshot, taken.edits);
  const kept = await carryCommits(await Promise.all(carried.map(ownCommit)), onto);
  return {
    edits: new Map([...taken.edits, ...kept.edits]),
    conflicts: [...taken.conflicts, ...kept.conflicts],
  };
}

function begin(
  deps: ActivityDeps,
  { repositoryUrl, ref, prLink, prNumber }: JobProject,
  { jobId, turn, step, ...heads }: PrepareInput,
  { start, files, conflicts, system, notes, comments, orientation, date }: Beginning,
): Done<Omit<Prepared, 'at'>> {
  const revision = storedRevision(deps, jobId, heads.workspaceHead, start.commit, files);
  const texts = notes.map(docentNote);
  if (orientation !== null) texts.unshift(orientation);
  if (comments !== null) texts.push(comments);
  const entry = newEntry({
    jobId,
    parent: heads.transcriptHead,
    kind: 'user',
    turn,
    step,
    content: texts.map((text): Block => ({ type: 'text', text })),
    meta: {
      system,
      date,
      base: start.baseCommit,
      ...(comments !== null && { comments: true }),
      ...(orientation !== null && { orientation: true }),
    },
  });
  const { branch, overtaken } = start;
  const moved = { transcriptHead: entry.id, workspaceHead: revision.id };
  return {
    result: {
      ...moved,
      branch,
      conflicts,
      ref: overtaken ? null : ref,
      prLink,
      prNumber: overtaken ? null : prNumber,
    },
    change: { ...moved, branch, ...(overtaken && { prNumber: null, ref: null }) },
    parts: [...revision.parts, entry.part, ...branchHold(jobId, repositoryUrl, branch)],
  };
}
