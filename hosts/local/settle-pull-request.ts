import {
  endPullRequest,
  findPullRequest,
  type LocalPullRequestRow,
  recordHead,
} from '../../db/local-host/local-pull-requests.ts';
import { Problem } from '../../shared/errors.ts';
import { mergeBase, mergedInto, readTips } from './branch-tips.ts';
import { type LocalHostContext, pullRequestUrl, repositoryFolder } from './context.ts';
import { readBranches } from './refs.ts';
import type { LocalPullRequest } from './schemas.ts';

/**
 * Brings an open pull request's row up to what its branches say: a new head, or merged (by hand, or
 * by a merge whose process died before it could write it down), or closed because its branch was
 * deleted or set back.
 */
export async function settle(
  at: LocalHostContext,
  row: LocalPullRequestRow,
): Promise<LocalPullRequestRow> {
  if (row.state !== 'open') return row;
  const { base, head, parting } = await readTips(at, row.repository, row.base, row.head);
  if (base === undefined || head === undefined)
    return (await endPullRequest(at.pool, row, { state: 'closed', mergeCommit: null })) ?? row;
  if (head === parting) {
    // A branch that was set back to its base has brought nothing there.
    const isMerged =
      (await mergeBase(at, row.repository, base, row.head_commit)) === row.head_commit;
    return (
      (await endPullRequest(at.pool, row, {
        state: isMerged ? 'merged' : 'closed',
        mergeCommit: null,
      })) ?? row
    );
  }
  const baseCommit = parting ?? row.base_commit;
  if (head === row.head_commit && baseCommit === row.base_commit) return row;
  await recordHead(at.pool, row, head, baseCommit);
  return { ...row, head_commit: head, base_commit: baseCommit };
}

/**
 * The rows, brought up to what their branches say: one look at all branches, and one git for each
 * base branch, whatever their number. Only those that changed are looked at one by one.
 */
export async function settleAll(
  at: LocalHostContext,
  repository: string,
  rows: readonly LocalPullRequestRow[],
): Promise<LocalPullRequestRow[]> {
  const open = rows.filter(({ state }) => state === 'open');
  if (open.length === 0) return [...rows];
  const names = new Set(open.flatMap(({ base, head }) => [base, head]));
  const branches = await readBranches(repositoryFolder(at, repository), [...names]);
  const merged = new Map<string, Set<string>>();
  for (const base of new Set(open.map(row => row.base)))
    if (branches.has(base)) merged.set(base, await mergedInto(at, repository, base));
  const settled: LocalPullRequestRow[] = [];
  for (const row of rows) {
    const isSame =
      branches.get(row.head) === row.head_commit && merged.get(row.base)?.has(row.head) === false;
    settled.push(row.state !== 'open' || isSame ? row : await settle(at, row));
  }
  return settled;
}

/** The row, brought up to what its branches say. Throws `not_found`. */
export async function settledPullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
): Promise<LocalPullRequestRow> {
  const row = await findPullRequest(at.pool, repository, number);
  if (!row) throw unknownPullRequest(repository, number);
  return await settle(at, row);
}

export function pullRequestView(at: LocalHostContext, row: LocalPullRequestRow): LocalPullRequest {
  const { number, state, draft, title, body, head, base } = row;
  return {
    number,
    url: pullRequestUrl(at, row.token),
    state,
    draft,
    title,
    body,
    head,
    base,
    headCommit: row.head_commit,
  };
}

export function unknownPullRequest(repository: string, number: number): Problem {
  return new Problem('not_found', `Repository ${repository} has no pull request ${number}.`);
}
