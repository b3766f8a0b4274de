import {
  endPullRequest,
  type LocalPullRequestRow,
} from '../../db/local-host/local-pull-requests.ts';
import { Problem } from '../../shared/errors.ts';
import { readTips } from './branch-tips.ts';
import { cloneUrl, type LocalHostContext, repositoryFolder } from './context.ts';
import { git, GitCommandError } from '../git/git-command.ts';
import { requireRepository } from './repositories.ts';
import type { LocalPullRequest } from './schemas.ts';
import { pullRequestView, settledPullRequest } from './settle-pull-request.ts';

const MERGE_ATTEMPTS = 3;

/**
 * Merges with a merge commit; merged already is success. Throws `conflict` where it is closed,
 * where the branches conflict (the sentence names the files), or where the repository is read-only.
 */
export async function mergePullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
): Promise<LocalPullRequest> {
  for (let attempt = 1; ; attempt += 1) {
    const row = await settledPullRequest(at, repository, number);
    if (row.state === 'merged') return pullRequestView(at, row);
    if (row.state === 'closed') throw new Problem('conflict', `Pull request ${number} is closed.`);
    if ((await requireRepository(at, repository)).archived)
      throw new Problem('conflict', `Repository ${repository} is archived and read-only.`);
    const tips = await readTips(at, repository, row.base, row.head);
    if (!tips.base || !tips.head)
      throw new Problem('conflict', `A branch of pull request ${number} is gone.`);
    // Merged since we looked, and perhaps not yet written down.
    if (tips.head === tips.parting) continue;
    const commit = await commitMerge(at, row, tips.base, tips.head);
    const moved = await git([
      '--git-dir',
      repositoryFolder(at, repository),
      'update-ref',
      `refs/heads/${row.base}`,
      commit,
      tips.base,
    ]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof GitCommandError) return false;
        throw error;
      },
    );
    if (moved) {
      const ended = await endPullRequest(
        at.pool,
        { ...row, head_commit: tips.head },
        { state: 'merged', mergeCommit: commit },
      );
      await at.onBranchMoved?.(repository, row.base);
      return pullRequestView(at, ended ?? (await settledPullRequest(at, repository, number)));
    }
    if (attempt >= MERGE_ATTEMPTS)
      throw new Problem('conflict', `Branch ${row.base} keeps moving; try again in a moment.`);
  }
}

/**
 * What a merge would be refused for just now: the sentence that names the files; null where nothing
 * is known to be in its way.
 */
export async function conflictOf(
  at: LocalHostContext,
  row: Pick<LocalPullRequestRow, 'repository' | 'state' | 'base' | 'head'>,
): Promise<string | null> {
  if (row.state !== 'open') return null;
  return await mergeTrees(at, row, `refs/heads/${row.base}`, `refs/heads/${row.head}`).then(
    () => null,
    (error: unknown) =>
      error instanceof Problem && error.code === 'conflict' ? error.message : null,
  ); // the merge itself says what else is wrong
}

async function commitMerge(
  at: LocalHostContext,
  row: LocalPullRequestRow,
  base: string,
  head: string,
): Promise<string> {
  const tree = await mergeTrees(at, row, base, head);
  const message = `Merge pull request #${row.number}: ${row.title}`;
  return (
    await git([
      '--git-dir',
      repositoryFolder(at, row.repository),
      'commit-tree',
      tree,
      '-p',
      base,
      '-p',
      head,
      '-m',
      message,
    ])
  ).trim();
}

/** The tree of a merge. Throws `conflict`, naming the files. */
async function mergeTrees(
  at: LocalHostContext,
  row: Pick<LocalPullRequestRow, 'repository' | 'base' | 'head'>,
  base: string,
  head: string,
): Promise<string> {
  const tree = await git([
    '--git-dir',
    repositoryFolder(at, row.repository),
    'merge-tree',
    '--write-tree',
    '--name-only',
    '--no-messages',
    base,
    head,
  ]).catch((error: unknown) => {
    if (!(error instanceof GitCommandError) || error.exitCode !== 1) throw error;
    const files = error.stdout.trim().split('\n').slice(1);
    const ways =
      `Give the instruction again as a new job, which begins from ${row.base} as it is now; ` +
      `or merge ${row.base} into ${row.head} in a clone of ${cloneUrl(at, row.repository)}, ` +
      'and push it';
    throw new Problem(
      'conflict',
      `${row.head} conflicts with ${row.base} in ${files.slice(0, 10).join(', ')}. ${ways}.`,
    );
  });
  return tree.trim();
}
