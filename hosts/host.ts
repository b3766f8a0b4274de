import type { HostKind } from '../shared/host-kind.ts';
import type { Author } from '../shared/jobs/commit-author.ts';
import type { HistoryAnswer, HistoryQuestion } from './git/history-questions.ts';
import type { ReviewComment } from './review-comments.ts';
import type { Snapshot } from '../shared/workspace.ts';

/** Where a project's repository lives. */
export interface RepositoryAddress {
  host: HostKind;
  /** As the host names it, such as "owner/name". */
  repository: string;
  /** Opened with no right but to read, where the host has such credentials. */
  readOnly?: boolean;
}

export interface RepositoryState {
  /** The full URL to show. */
  url: string;
  defaultBranch: string;
  archived: boolean;
  /** No commit yet. */
  empty: boolean;
  /** Branches that must not be pushed to, as far as the host tells. */
  protectedBranches: string[];
  /** Outlives the repository's name, where the host has such a thing. */
  id?: number;
}

/**
 * A commit that is planned and not yet sent: a pure function of its members, so that a repeat gives
 * the same id.
 */
export interface CommitPlan {
  parent: string;
  /** Path to new bytes, or null where deleted: only what the job changed. */
  changes: Map<string, Buffer | null>;
  message: string;
  /** Unix seconds; the commit's time is the parent's where that is later. */
  time: number;
  /** Also its committer; null or left out: Docent. */
  author?: Author | null;
}

export interface PlannedCommit {
  commit: string;
  tree: string;
}

/** A commit with one parent, as a repository has it. */
export interface HostedCommit extends PlannedCommit {
  parent: string;
  message: string;
  /** Unix seconds, by its author. */
  time: number;
  /** Of one that is known to be Docent's. */
  author?: Author;
}

export interface PullRequest {
  number: number;
  /** The address that people open. */
  url: string;
  state: 'open' | 'merged' | 'closed';
  draft: boolean;
  title: string;
  body: string;
  head: string;
  base: string;
  headCommit: string;
  /** ISO 8601; undefined: it is not merged, or its host does not say when. */
  mergedAt?: string | undefined;
}

export interface PullRequestInput {
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
  /** Left out: no job opened it. */
  jobId?: string;
}

/**
 * What Docent asks of a repository host. Every method may run twice. Failures are `RepositoryError`
 * (repository-error.ts): permanent ones name what to repair; the rest Temporal retries.
 */
export interface RepositoryHost {
  /** Throws `repository_not_found`, `repository_unreachable`, `credentials_refused`. */
  describe(address: RepositoryAddress): Promise<RepositoryState>;
  /** The commit of a branch, or null where there is no such branch. */
  resolveBranch(address: RepositoryAddress, branch: string): Promise<string | null>;
  /** All branches whose names begin so, with their commits. */
  branches(address: RepositoryAddress, prefix: string): Promise<Map<string, string>>;
  /** The files at a commit; fetched once, then read from this worker's disk. */
  snapshot(address: RepositoryAddress, commit: string, signal: AbortSignal): Promise<Snapshot>;
  /**
   * What git knows of the history that ends in a commit. Throws `HistoryError` too
   * (git/history-questions.ts).
   */
  history(
    address: RepositoryAddress,
    commit: string,
    question: HistoryQuestion,
    signal: AbortSignal,
  ): Promise<HistoryAnswer>;
  /** The nearest common ancestor of two commits, or null (unrelated, or too far back to say). */
  mergeBase(address: RepositoryAddress, a: string, b: string): Promise<string | null>;
  /**
   * The commits that `head` has and `base` lacks, oldest first, as far as Docent made them, in its
   * own name or that of one of `authors`: what this host has and our rows may not, after a restore.
   */
  ownCommits(
    address: RepositoryAddress,
    base: string,
    head: string,
    authors: readonly Author[],
  ): Promise<HostedCommit[]>;
  /** Computes the commit; nothing leaves this machine. */
  planCommit(address: RepositoryAddress, plan: CommitPlan): Promise<PlannedCommit>;
  /**
   * Moves `branch` to the planned commit if it is at `expectedHead` (null: if it does not exist);
   * already there is success. Throws `branch_moved` where it is elsewhere, `push_refused` where the
   * host will not take it.
   */
  push(
    address: RepositoryAddress,
    branch: string,
    plan: CommitPlan,
    expectedHead: string | null,
    signal: AbortSignal,
  ): Promise<PlannedCommit>;
  /** Pull requests from a head branch, newest first, whatever their state. */
  findPullRequests(address: RepositoryAddress, head: string): Promise<PullRequest[]>;
  /** Opens one, or returns the open one that is there already. */
  openPullRequest(address: RepositoryAddress, input: PullRequestInput): Promise<PullRequest>;
  updatePullRequest(
    address: RepositoryAddress,
    number: number,
    change: { title?: string; body?: string },
  ): Promise<PullRequest>;
  getPullRequest(address: RepositoryAddress, number: number): Promise<PullRequest>;
  /**
   * What people who may write have said on a pull request, oldest first; where the host has
   * comments.
   */
  reviewComments?(address: RepositoryAddress, number: number): Promise<ReviewComment[]>;
  /** Pull requests into a branch that were merged at or after a time, oldest first, at most 100. */
  mergedPullRequests?(
    address: RepositoryAddress,
    branch: string,
    since: Date,
  ): Promise<MergedPullRequest[]>;
  /**
   * The commit before a merged pull request of several commits that were put onto its base one by
   * one, where the host does that; null if it was merged otherwise. `commit`: the last of them.
   */
  beforeRebase?(address: RepositoryAddress, number: number, commit: string): Promise<string | null>;
  /**
   * Says something on a pull request, once: what has the same `marker`, a word, is replaced. In its
   * body where the host has no comments.
   */
  commentOnce?(
    address: RepositoryAddress,
    number: number,
    marker: string,
    text: string,
  ): Promise<void>;
  /**
   * Open pull requests into a branch, the one that changed last first, at most 100; where people can
   * ask for something there.
   */
  openPullRequests?(address: RepositoryAddress, branch: string): Promise<OpenPullRequest[]>;
  /** Ends the draft of a pull request; one that is ready stays as it is. */
  markReady?(address: RepositoryAddress, number: number): Promise<void>;
  /** Closes it unmerged. */
  closePullRequest?(address: RepositoryAddress, number: number): Promise<void>;
  /** Adds labels, and asks people for a review, as far as the host has such things and will. */
  decorate?(
    address: RepositoryAddress,
    number: number,
    added: { labels: readonly string[]; reviewers: readonly string[] },
  ): Promise<void>;
}

/** A pull request that was merged. */
export interface MergedPullRequest {
  number: number;
  url: string;
  title: string;
  body: string;
  author: string;
  labels: string[];
  /** What brought it into the branch; `from` null: compare it with its first parent. */
  commit: string;
  from: string | null;
  /** ISO 8601. */
  mergedAt: string;
}

export interface OpenPullRequest extends Omit<MergedPullRequest, 'commit' | 'from' | 'mergedAt'> {
  headCommit: string;
  /** ISO 8601, by the host's clock. */
  updatedAt: string;
}
