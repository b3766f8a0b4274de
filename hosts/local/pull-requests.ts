import { randomBytes } from 'node:crypto';
import {
  changePullRequest,
  endPullRequest,
  findPullRequest,
  findPullRequestByToken,
  insertPullRequest,
  type LocalPullRequestRow,
  recordHead,
  selectPullRequests,
} from '../../shared/db/local-host/local-host.ts';
import { transaction } from '../../shared/db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import type { LocalPullRequest, NewPullRequest, PullRequestChange } from './schemas.ts';
import { cloneUrl, type LocalHostContext, pullRequestUrl, repositoryFolder } from './context.ts';
import { git, GitCommandError } from './git-command.ts';
import { requireRepository } from './repositories.ts';

const MERGE_ATTEMPTS = 3;

/**
 * Opens one, or returns the open one of that head branch. Throws `not_found` (repository, branch),
 * `conflict` (nothing to merge).
 */
export async function openPullRequest(
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
  return view(at, await settle(at, row));
}

export async function updatePullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
  change: PullRequestChange,
): Promise<LocalPullRequest> {
  const row = await changePullRequest(at.pool, repository, number, change);
  if (!row) throw unknown(repository, number);
  return view(at, await settle(at, row));
}

export async function getPullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
): Promise<LocalPullRequest> {
  return view(at, await settledPullRequest(at, repository, number));
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
  for (const row of rows) views.push(view(at, await settle(at, row)));
  return views;
}

/** The row behind a page's token, settled; undefined for a token that nobody was given. */
export async function pullRequestByToken(
  at: LocalHostContext,
  token: string,
): Promise<LocalPullRequestRow | undefined> {
  const row = await findPullRequestByToken(at.pool, token);
  return row && (await settle(at, row));
}

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
    if (row.state === 'merged') return view(at, row);
    if (row.state === 'closed') throw new Problem('conflict', `Pull request ${number} is closed.`);
    if ((await requireRepository(at, repository)).archived)
      throw new Problem('conflict', `Repository ${repository} is archived and read-only.`);
    const tips = await readTips(at, repository, row.base, row.head);
    if (!tips.base || !tips.head)
      throw new Problem('conflict', `A branch of pull request ${number} is gone.`);
    if (tips.head === tips.parting) continue; // merged since we looked, and perhaps not yet written down
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
      return view(at, ended ?? (await settledPullRequest(at, repository, number)));
    }
    if (attempt >= MERGE_ATTEMPTS)
      throw new Problem('conflict', `Branch ${row.base} keeps moving; try again in a moment.`);
  }
}

/** Closed already is success; throws `conflict` where it is merged. The branch stays. */
export async function closePullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
): Promise<LocalPullRequest> {
  const row = await settledPullRequest(at, repository, number);
  if (row.state === 'merged') throw new Problem('conflict', `Pull request ${number} is merged.`);
  return view(
    at,
    (await endPullRequest(at.pool, row, { state: 'closed', mergeCommit: null })) ?? row,
  );
}

/** The nearest common ancestor of two commits, or null (unrelated, or one is not here). */
export async function mergeBase(
  at: LocalHostContext,
  repository: string,
  a: string,
  b: string,
): Promise<string | null> {
  await requireRepository(at, repository);
  try {
    return (
      await git([
        '--git-dir',
        repositoryFolder(at, repository),
        'merge-base',
        '--end-of-options',
        a,
        b,
      ])
    ).trim();
  } catch (error) {
    if (error instanceof GitCommandError) return null;
    throw error;
  }
}

interface Tips {
  base: string | undefined;
  head: string | undefined;
  /** The nearest common ancestor. */
  parting: string | undefined;
}

/** Where two branches are and where they part; one git command unless a branch is missing. */
async function readTips(
  at: LocalHostContext,
  repository: string,
  base: string,
  head: string,
): Promise<Tips> {
  const folder = ['--git-dir', repositoryFolder(at, repository)];
  const [baseRef, headRef] = [`refs/heads/${base}`, `refs/heads/${head}`];
  try {
    const lines = (
      await git([...folder, 'rev-parse', baseRef, headRef, `${baseRef}...${headRef}`])
    ).split('\n');
    return {
      base: lines[0],
      head: lines[1],
      parting: lines.find(line => line.startsWith('^'))?.slice(1),
    };
  } catch (error) {
    if (!(error instanceof GitCommandError)) throw error;
    const refs = await git([
      ...folder,
      'for-each-ref',
      '--format=%(refname) %(objectname)',
      baseRef,
      headRef,
    ]);
    const commits = new Map(refs.split('\n').map(line => line.split(' ') as [string, string]));
    return { base: commits.get(baseRef), head: commits.get(headRef), parting: undefined };
  }
}

/**
 * Brings an open pull request's row up to what its branches say: a new head, or merged (by hand, or
 * by a merge whose process died before it could write it down), or closed because its branch was
 * deleted or set back.
 */
async function settle(
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

/** The row, brought up to what its branches say. Throws `not_found`. */
export async function settledPullRequest(
  at: LocalHostContext,
  repository: string,
  number: number,
): Promise<LocalPullRequestRow> {
  const row = await findPullRequest(at.pool, repository, number);
  if (!row) throw unknown(repository, number);
  return await settle(at, row);
}

/**
 * What a merge would be refused for just now: the sentence that names the files; null where nothing
 * is known to be in its way.
 */
export async function conflictOf(
  at: LocalHostContext,
  row: LocalPullRequestRow,
): Promise<string | null> {
  if (row.state !== 'open') return null;
  return await mergeTrees(at, row, `refs/heads/${row.base}`, `refs/heads/${row.head}`).then(
    () => null,
    (error: unknown) => (error instanceof Problem ? error.message : null),
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
  row: LocalPullRequestRow,
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
    const ways = `Give the instruction again as a new job, which begins from ${row.base} as it is now; or merge ${row.base} into ${row.head} in a clone of ${cloneUrl(at, row.repository)}, and push it`;
    throw new Problem(
      'conflict',
      `${row.head} conflicts with ${row.base} in ${files.slice(0, 10).join(', ')}. ${ways}.`,
    );
  });
  return tree.trim();
}

function view(at: LocalHostContext, row: LocalPullRequestRow): LocalPullRequest {
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

function unknown(repository: string, number: number): Problem {
  return new Problem('not_found', `Repository ${repository} has no pull request ${number}.`);
}

function missingBranch(repository: string, branch: string): Problem {
  return new Problem('not_found', `Repository ${repository} has no branch ${branch}.`);
}
