import { Context } from '@temporalio/activity';
import { docentNote } from '../shared/agent-text.ts';
import { noteRepositoryName } from '../shared/db/github/deliveries.ts';
import { conflictNotes } from './conflict-notes.ts';
import type { ActivityDeps } from './deps.ts';
import { RepositoryError, reserved } from './hosts/errors.ts';
import type { RepositoryAddress, RepositoryHost } from './hosts/host.ts';
import { editedFiles, readEdits } from './job-workspace.ts';
import { carryCommits, overlay, type OwnCommit, takeBack } from './merge.ts';
import { once, ownedJob, storedResult } from './once.ts';
import { commentsAskedFor } from './review-comments.ts';
import { readAgentsFiles, systemPrompt } from './prompts/system-prompt.ts';
import { readCallerSystem } from '../shared/db/jobs/queue.ts';
import type { JobProject } from '../shared/db/jobs/job-project.ts';
import {
  holdBranch,
  lastPublished,
  lastPushed,
  lastShown,
  type Publication,
  publicationsSince,
  undonePublications,
} from '../shared/db/jobs/publications.ts';
import { appendEntry, type Block, readTranscript } from '../shared/db/jobs/transcript.ts';
import {
  addRevision,
  readRevision,
  type Revision,
  storeBlobs,
  type Touched,
} from '../shared/db/jobs/workspace-revisions.ts';
import type { Prepared, PrepareInput } from './types.ts';
import { openWorkspace } from './workspace.ts';

/** Where a turn starts: the branch, its newest commit, and what the model must be told. */
interface Start {
  branch: string;
  /** The commit that the workspace lies on. */
  commit: string;
  /** The newest commit of the base branch: AGENTS.md is read from it. */
  baseCommit: string;
  /** The job's pull request was merged or closed, or its branch deleted: begin anew. */
  overtaken: 'merged' | 'closed' | 'deleted' | null;
}

/**
 * Begins a turn: brings the workspace onto the newest commit of the job's branch (else of the
 * base), carrying unpublished edits along, and fixes the system prompt for the turn.
 */
export function createPrepare(deps: ActivityDeps) {
  return async function prepare(input: PrepareInput): Promise<Prepared> {
    const stored = await storedResult<Prepared>(deps);
    if (stored) return stored;
    const signal = Context.current().cancellationSignal;
    const project = await ownedJob(deps, input);
    const address: RepositoryAddress = { host: project.host, repository: project.repository };
    const host = deps.hostFor(address);
    const start = await findStart(deps, host, address, project);
    const [snapshot, baseSnapshot, callerSystem] = await Promise.all([
      host.snapshot(address, start.commit, signal),
      host.snapshot(address, start.baseCommit, signal),
      readCallerSystem(deps.pool, input.jobId),
    ]);
    const system = systemPrompt({
      repository: project.repository,
      docsFolder: project.docs_folder,
      baseRef: project.base_ref,
      callerSystem,
      agentsFiles: await readAgentsFiles(baseSnapshot, project.docs_folder),
    });

    const previous = await previousRevision(deps, host, address, input, start);
    const carried = previous?.carried
      ? [
          ...(await astrayCommits(deps, host, address, input, start, previous.revision)),
          previous.revision,
        ]
      : [];
    const undone = await undoneCommits(deps, host, address, input, start, previous?.revision);
    const ownCommit = async ({ files, base_commit: parent }: Revision): Promise<OwnCommit> => ({
      changes: await readEdits(deps.pool, files),
      parent: await host.snapshot(address, parent, signal),
    });
    const taken = await takeBack(await Promise.all(undone.map(ownCommit)), snapshot);
    const merged = await carryCommits(
      await Promise.all(carried.map(ownCommit)),
      overlay(snapshot, taken.edits),
    );
    const conflicts = [...taken.conflicts, ...merged.conflicts];
    // A file counts as changed against what it was before the job, also where only an undone commit
    // had changed it.
    const touched: Touched = Object.assign(
      {},
      ...undone.map(revision => revision.touched),
      previous?.revision.touched,
    );
    const blank: Revision = {
      id: '',
      base_commit: start.commit,
      files: {},
      touched: start.overtaken ? {} : touched,
    };
    const next = await editedFiles(
      openWorkspace(snapshot, new Map([...taken.edits, ...merged.edits])),
      blank,
    );
    const comments = (await hasComments(deps, input))
      ? null
      : await commentsAskedFor(deps, address, input.jobId, input.turn);
    const notes = [...overtakenNote(start, previous?.revision), ...conflictNotes(conflicts)];

    return once<Omit<Prepared, 'at'>>(deps, input, async (tx, row) => {
      await storeBlobs(tx, input.jobId, next.blobs);
      const workspaceHead = await addRevision(tx, input.jobId, input.workspaceHead, {
        base_commit: start.commit,
        files: next.files,
        touched: next.touched,
      });
      const content: Block[] = notes.map(text => ({
        type: 'text',
        text: docentNote(text),
      }));
      if (comments !== null) content.push({ type: 'text', text: comments });
      const transcriptHead = await appendEntry(tx, {
        jobId: input.jobId,
        parent: input.transcriptHead,
        kind: 'user',
        turn: input.turn,
        step: input.step,
        content,
        meta: { system, ...(comments !== null && { comments: true }) },
      });
      await holdBranch(tx, input.jobId, row.repository_url, start.branch);
      return {
        result: {
          transcriptHead,
          workspaceHead,
          branch: start.branch,
          conflicts: conflicts.map(conflict => conflict.path),
          ref: start.overtaken ? null : row.ref,
          prLink: row.pr_link,
          prNumber: start.overtaken ? null : row.pr_number,
        },
        change: {
          transcript_head: transcriptHead,
          workspace_head: workspaceHead,
          branch: start.branch,
          ...(start.overtaken && { pr_number: null, ref: null }),
        },
      };
    });
  };
}

/**
 * Whether an earlier preparation of the turn has brought the comments on the pull request along.
 */
async function hasComments(
  deps: ActivityDeps,
  { transcriptHead, turn, step }: PrepareInput,
): Promise<boolean> {
  return (
    step > 0 &&
    (await readTranscript(deps.pool, transcriptHead)).some(
      entry => entry.turn === turn && entry.meta.comments,
    )
  );
}

async function findStart(
  deps: ActivityDeps,
  host: RepositoryHost,
  address: RepositoryAddress,
  project: JobProject,
): Promise<Start> {
  const [state, head, base, pushed, shown] = await Promise.all([
    host.describe(address),
    host.resolveBranch(address, project.branch),
    host.resolveBranch(address, project.base_ref),
    lastPushed(deps.pool, project.job_id),
    lastShown(deps.pool, project.job_id, project.branch), // what was pushed last may be of a run that opened nothing
  ]);
  if (state.archived)
    throw new RepositoryError(
      'repository_archived',
      `The repository ${project.repository} is archived and read-only: unarchive it, or point the project elsewhere.`,
    );
  if (state.empty)
    throw new RepositoryError(
      'repository_empty',
      `The repository ${project.repository} has no commit yet: push one to ${project.base_ref} first.`,
    );
  if (!base)
    throw new RepositoryError(
      'ref_not_found',
      `The repository ${project.repository} has no branch ${project.base_ref}: correct the project’s base branch, or push it.`,
    );
  // By its id, deliveries of a repository that is renamed later find the job.
  if (state.id !== undefined) await noteRepositoryName(deps.pool, project.repository, state.id);
  const pullRequest =
    shown?.pr_number != null ? await host.getPullRequest(address, shown.pr_number) : null;
  const overtaken =
    pullRequest && pullRequest.state !== 'open'
      ? pullRequest.state
      : pushed?.branch === project.branch && !head
        ? 'deleted'
        : null;
  const branch = overtaken ? nextBranch(project.branch) : project.branch;
  // Before the model works: a push would be refused only after it was paid.
  if ([project.base_ref, state.defaultBranch, ...state.protectedBranches].includes(branch))
    throw reserved(project.repository, branch);
  return { branch, commit: overtaken ? base : (head ?? base), baseCommit: base, overtaken };
}

/** `docent/fix-typo-k3` -> `docent/fix-typo-k3-2` -> `…-3`. */
function nextBranch(branch: string): string {
  const numbered = /^(.*-[0-9a-z]{6})-(\d+)$/.exec(branch);
  return numbered ? `${numbered[1]}-${Number(numbered[2]) + 1}` : `${branch}-2`;
}

/**
 * The revision that the turn goes on from, and whether its edits still have to be carried (what is
 * published lies in the branch already).
 */
async function previousRevision(
  deps: ActivityDeps,
  host: RepositoryHost,
  address: RepositoryAddress,
  input: PrepareInput,
  start: Start,
): Promise<{ revision: Revision; carried: boolean } | null> {
  const published = await lastPublished(deps.pool, input.workspaceHead);
  const id =
    input.startFrom === 'published' ? (published?.published_revision ?? null) : input.workspaceHead;
  if (!id) return null;
  const revision = await readRevision(deps.pool, id);
  if (published?.published_revision === id) {
    // A rewound turn whose first pull request was closed since: to the model its edits are made,
    // and the new branch lacks them.
    const astray =
      input.step > 0 &&
      (await host.mergeBase(address, start.commit, published.commit)) !== published.commit;
    return { revision, carried: astray };
  }
  return {
    revision,
    carried: revision.base_commit !== published?.commit || Object.keys(revision.files).length > 0,
  };
}

/**
 * Our commits in the branch that a rewind undid and that the previous revision does not lie on,
 * newest first.
 */
async function undoneCommits(
  deps: ActivityDeps,
  host: RepositoryHost,
  address: RepositoryAddress,
  input: PrepareInput,
  start: Start,
  previous: Revision | undefined,
): Promise<Revision[]> {
  if (start.overtaken) return [];
  const candidates = await undonePublications(
    deps.pool,
    input.jobId,
    start.branch,
    input.workspaceHead,
    previous?.id ?? null,
  );
  return revisionsIn(deps, host, address, start.commit, candidates);
}

/**
 * Commits of ours, oldest first, that the workspace has lain upon since this turn, and that the new
 * branch lacks: the turn came to the same as before a rewind, and its pull request was closed
 * since. To the model these edits are made; those of earlier turns stay behind.
 */
async function astrayCommits(
  deps: ActivityDeps,
  host: RepositoryHost,
  address: RepositoryAddress,
  input: PrepareInput,
  start: Start,
  { base_commit: base }: Revision,
): Promise<Revision[]> {
  if (base === start.commit) return [];
  const candidates = await publicationsSince(deps.pool, input.jobId, input.turn);
  if (candidates.length === 0 || (await host.mergeBase(address, start.commit, base)) === base)
    return [];
  return revisionsIn(deps, host, address, base, candidates);
}

/**
 * What those publications hold that a commit descends from. Asked of the host, for an old run may
 * have pushed one without living to say so.
 */
async function revisionsIn(
  deps: ActivityDeps,
  host: RepositoryHost,
  address: RepositoryAddress,
  commit: string,
  candidates: Publication[],
): Promise<Revision[]> {
  const present = await Promise.all(
    candidates.map(async one => (await host.mergeBase(address, commit, one.commit)) === one.commit),
  );
  return Promise.all(
    candidates.filter((_, i) => present[i]).map(one => readRevision(deps.pool, one.revision_id)),
  );
}

function overtakenNote(start: Start, previous: Revision | undefined): string[] {
  if (!start.overtaken) return [];
  const what = {
    merged: 'was merged',
    closed: 'was closed without merging',
    deleted: 'lost its branch',
  }[start.overtaken];
  const paths = Object.keys(previous?.touched ?? {});
  return [
    `The pull request of the earlier turns ${what}. You now work on a new branch, from the newest base; a new pull request will be opened.${
      start.overtaken === 'merged' ? '' : ' The earlier edits are not in these files.'
    }${paths.length > 0 ? ` The earlier turns had changed: ${paths.slice(0, 50).join(', ')}.` : ''}`,
  ];
}
