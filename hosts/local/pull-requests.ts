import { randomBytes } from 'node:crypto';
import {
  changePullRequest,
  endPullRequest,
  findPullRequestByToken,
  insertPullRequest,
  type LocalPullRequestRow,
  mergedPullRequests,
  selectPullRequests,
} from '../../db/local-host/local-pull-requests.ts';
import { transaction } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import { readTips } from './branch-tips.ts';
import type { LocalHostContext } from './context.ts';
import { requireRepository } from './repositories.ts';
import type { LocalMerge, LocalPullRequest, NewPullRequest, PullRequestChange } from './schemas.ts';
import {
  pullRequestView,
  settle,
  settledPullRequest,
  unknownPullRequest,
} from './settle-pull-request.ts';

/**
 * Opens one, or returns the open one of that head branch. Throws `not_found` (repository, branch),
 * `conflict` (nothing to merge).
 */
export async function createLocalPullRequest(
  at: LocalHostContext,
  repository: string,
  input: NewPullRequest,
): Promise<LocalPullRequest> {
  await requireRepository(at, repository);
  const { base, head, parting } = await readTips(at, repository, input.base, input.head);
  if (base === undefined) throw missingBranch(repository, input.base);
  if (head === undefined) throw missingBranch(repository, input.head);
  if (parting === undefined)
    throw new Problem('conflict', `${input.head} and ${input.base} have no common history.`);
  if (head === parting)
    throw new Problem('conflict', `${input.head} has no commits that ${input.base} lacks.`);
  const token = randomBytes(16).toString('base64url');
  const row = await transaction(at.pool, tx =>
    insertPullRequest(tx, repository, input, { token, headCommit: head, baseCommit: parting }),
  );
  return pullRequestView(at, await settle(at, row));
}

export async function updatePullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
  change: PullRequestChange,
): Promise<LocalPullRequest> {
  await requireRepository(at, repository);
  const row = await changePullRequest(at.pool, repository, number, change);
  if (!row) throw unknownPullRequest(repository, number);
  return pullRequestView(at, await settle(at, row));
}

export async function getPullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
): Promise<LocalPullRequest> {
  return pullRequestView(at, await settledPullRequest(at, repository, number));
}

/** Newest first, at most 100; of one head branch where it is named. */
export async function listPullRequests(
  at: LocalHostContext,
  repository: string,
  filter: { head?: string } = {},
): Promise<LocalPullRequest[]> {
  await requireRepository(at, repository);
  const rows = await selectPullRequests(at.pool, repository, filter);
  const views: LocalPullRequest[] = [];
  for (const row of rows) views.push(pullRequestView(at, await settle(at, row)));
  return views;
}

/** Pull requests that were merged into a branch since a time, oldest first. */
export async function listMerged(
  at: LocalHostContext,
  repository: string,
  base: string,
  since: Date,
): Promise<LocalMerge[]> {
  await requireRepository(at, repository);
  return (await mergedPullRequests(at.pool, repository, base, since)).map(row => {
    const { number, url, title, body } = pullRequestView(at, row);
    const { head_commit: commit, base_commit: from, closed_at: mergedAt } = row;
    return { number, url, title, body, commit, from, mergedAt: mergedAt!.toISOString() };
  });
}

/** The row behind a page's token, settled; undefined for a token that nobody was given. */
export async function pullRequestByToken(
  at: LocalHostContext,
  token: string,
): Promise<LocalPullRequestRow | undefined> {
  const row = await findPullRequestByToken(at.pool, token);
  return row && (await settle(at, row));
}

/** Closed already is success; throws `conflict` where it is merged. The branch stays. */
export async function closePullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
): Promise<LocalPullRequest> {
  const row = await settledPullRequest(at, repository, number);
  if (row.state === 'merged') throw new Problem('conflict', `Pull request ${number} is merged.`);
  return pullRequestView(
    at,
    (await endPullRequest(at.pool, row, { state: 'closed', mergeCommit: null })) ?? row,
  );
}

function missingBranch(repository: string, branch: string): Problem {
  return new Problem('not_found', `Repository ${repository} has no branch ${branch}.`);
}
