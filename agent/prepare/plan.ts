import type { Publication } from '../../db/jobs/publications.ts';
import type { Revision } from '../../db/jobs/workspace-revisions.ts';
import { RepositoryError, reserved } from '../../hosts/repository-error.ts';
import type { PullRequest, RepositoryState } from '../../hosts/host.ts';
import type { PrepareInput } from '../../shared/jobs/activity-types.ts';

/** What the host shows before a turn, and which branch the job had. */
export interface Heads {
  repository: string;
  /** The job's branch, and the project's base. */
  branch: string;
  baseRef: string;
  state: Pick<RepositoryState, 'archived' | 'empty' | 'defaultBranch' | 'protectedBranches'>;
  /** Newest commits of the two branches; null if there is no such branch. */
  head: string | null;
  base: string | null;
  /** The branch that the job pushed to last. */
  pushedTo: string | null;
  /** Of the pull request that shows the job's branch. */
  pullRequest: PullRequest['state'] | null;
}

/** Where a turn starts. */
export interface Start {
  branch: string;
  /** The commit that the workspace is based on. */
  commit: string;
  /** The newest commit of the base branch: AGENTS.md is read from it. */
  baseCommit: string;
  /** The job's pull request was merged or closed, or its branch deleted: a new branch. */
  overtaken: 'merged' | 'closed' | 'deleted' | null;
}

/** Throws `RepositoryError` if the turn could not be published: nothing is paid for by then. */
export function planStart({ repository, branch: own, baseRef, state, ...heads }: Heads): Start {
  if (state.archived)
    throw new RepositoryError(
      'repository_archived',
      `The repository ${repository} is archived and read-only: ` +
        'unarchive it, or point the project elsewhere.',
    );
  if (state.empty)
    throw new RepositoryError(
      'repository_empty',
      `The repository ${repository} has no commit yet: push one to ${baseRef} first.`,
    );
  const { head, base, pushedTo, pullRequest } = heads;
  if (!base)
    throw new RepositoryError(
      'ref_not_found',
      `The repository ${repository} has no branch ${baseRef}: ` +
        'correct the project’s base branch, or push it.',
    );
  const gone = pushedTo === own && !head ? 'deleted' : null;
  const overtaken = pullRequest && pullRequest !== 'open' ? pullRequest : gone;
  const branch = overtaken ? nextBranch(own) : own;
  if ([baseRef, state.defaultBranch, ...state.protectedBranches].includes(branch))
    throw reserved(repository, branch);
  return { branch, commit: overtaken ? base : (head ?? base), baseCommit: base, overtaken };
}

/** `docent/fix-typo-k3` -> `docent/fix-typo-k3-2` -> `…-3`. */
function nextBranch(branch: string): string {
  const numbered = /^(.*-[0-9a-z]{6})-(\d+)$/.exec(branch);
  return numbered ? `${numbered[1]}-${Number(numbered[2]) + 1}` : `${branch}-2`;
}

type Sent = Pick<Publication, 'commit' | 'revision_id'>;
/** The newest publication that the workspace descends from, and the revision that it published. */
export type Published = Pick<Publication, 'commit'> & { published_revision: string };

/** What the job has made so far. */
export interface History {
  step: number;
  /** The revision that the turn continues from; null: the job's first. */
  previous: Pick<Revision, 'id' | 'base_commit' | 'files'> | null;
  published: Published | null;
  /** Publications to the job's branch that a rewind may have undone, newest first. */
  undone: Sent[];
  /** Publications of this turn and of later ones, oldest first. */
  sinceTurn: Sent[];
}

/** Revisions, by id, to bring onto the turn's first commit. */
export interface EditPlan {
  /** Taken back, newest first: the branch has these, and the workspace does not. */
  takeBack: string[];
  /** Carried, oldest first: the workspace has these, and the branch does not. */
  carry: string[];
}

/** Whether a commit is the other, or descends from it: `[commit, ancestor]`. */
export type Ancestry = [commit: string, ancestor: string];

/** The revision that a turn continues from; `published` drops what was never published. */
export function revisionToContinue(
  startFrom: PrepareInput['startFrom'],
  workspaceHead: string | null,
  published: Published | null,
): string | null {
  return startFrom === 'published' ? (published?.published_revision ?? null) : workspaceHead;
}

/** What `planEdits` needs to know of the commits: only the host can tell. */
export function ancestryAsked(start: Start, history: History): Ancestry[] {
  const { previous, published, undone, sinceTurn, step } = history;
  const asked: Ancestry[] = [];
  if (!start.overtaken) asked.push(...undone.map(({ commit }): Ancestry => [start.commit, commit]));
  if (!previous) return asked;
  if (published?.published_revision === previous.id && step > 0)
    asked.push([start.commit, published.commit]);
  const { base_commit: base } = previous;
  if (base !== start.commit && sinceTurn.length > 0)
    asked.push([start.commit, base], ...sinceTurn.map(({ commit }): Ancestry => [base, commit]));
  return asked;
}

export function planEdits(
  start: Start,
  history: History,
  contains: (...asked: Ancestry) => boolean,
): EditPlan {
  const { previous, undone } = history;
  const undoneInBranch = start.overtaken
    ? []
    : undone.filter(({ commit }) => contains(start.commit, commit));
  return {
    takeBack: undoneInBranch.map(one => one.revision_id),
    carry:
      previous && isToCarry(start, history, previous, contains)
        ? [...leftBehind(start, history, previous, contains), previous.id]
        : [],
  };
}

type Contains = Parameters<typeof planEdits>[2];
type Previous = NonNullable<History['previous']>;

/** What is published is in the branch already. */
function isToCarry(
  start: Start,
  { step, published }: History,
  { id, base_commit, files }: Previous,
  contains: Contains,
): boolean {
  if (published?.published_revision !== id)
    return base_commit !== published?.commit || Object.keys(files).length > 0;
  // A rewound turn whose first pull request was closed since: to the model its edits are made, and
  // the new branch lacks them.
  return step > 0 && !contains(start.commit, published.commit);
}

/**
 * Revisions of ours that the previous one is based on since this turn, and that the new branch
 * lacks: the turn came to the same as before a rewind, and its pull request was closed since. To
 * the model these edits are made; those of earlier turns stay behind.
 */
function leftBehind(
  start: Start,
  { sinceTurn }: History,
  { base_commit: base }: Previous,
  contains: Contains,
): string[] {
  if (base === start.commit || sinceTurn.length === 0 || contains(start.commit, base)) return [];
  return sinceTurn.filter(({ commit }) => contains(base, commit)).map(one => one.revision_id);
}
