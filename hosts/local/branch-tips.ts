import { BoundedCache } from '../../shared/bounded-cache.ts';
import { type LocalHostContext, repositoryFolder } from './context.ts';
import { git, GitCommandError } from '../git/git-command.ts';
import { readBranches } from './refs.ts';
import { requireRepository } from './repositories.ts';
import type { LocalCommit } from './schemas.ts';

interface Tips {
  base: string | undefined;
  head: string | undefined;
  /** The nearest common ancestor. */
  parting: string | undefined;
}

/** The nearest ancestor of two commits never changes. */
const partings = new BoundedCache<string>(10_000, () => 1);

/** Where two branches are and where they part. */
export async function readTips(
  at: LocalHostContext,
  repository: string,
  baseBranch: string,
  headBranch: string,
): Promise<Tips> {
  const commits = await readBranches(repositoryFolder(at, repository), [baseBranch, headBranch]);
  const [base, head] = [commits.get(baseBranch), commits.get(headBranch)];
  if (base === undefined || head === undefined) return { base, head, parting: undefined };
  const key = `${base} ${head}`;
  const parting = partings.get(key) ?? (await mergeBase(at, repository, base, head));
  // None may mean that one of them was not here.
  if (parting !== null) partings.set(key, parting);
  return { base, head, parting: parting ?? undefined };
}

/** The branches all of whose commits are in `base`. */
export async function mergedInto(
  at: LocalHostContext,
  repository: string,
  base: string,
): Promise<Set<string>> {
  const folder = repositoryFolder(at, repository);
  const names = await git([
    ...['--git-dir', folder, 'for-each-ref', '--format=%(refname:lstrip=2)'],
    ...[`--merged=refs/heads/${base}`, 'refs/heads/'],
  ]);
  return new Set(names.split('\n').filter(Boolean));
}

const NONE = 1;

/**
 * The nearest common ancestor of two commits, or null (unrelated, or one is not here). A git that
 * fails says neither: throws `GitCommandError`.
 */
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
    if (!(error instanceof GitCommandError)) throw error;
    // With an object that it cannot read it ends with the same status, and says so.
    if ((error.exitCode === NONE && error.stderr === '') || (await lacks(at, repository, [a, b])))
      return null;
    throw error;
  }
}

/** Whether the repository has not all of the commits. */
async function lacks(
  at: LocalHostContext,
  repository: string,
  commits: string[],
): Promise<boolean> {
  for (const commit of commits) {
    try {
      await git(['--git-dir', repositoryFolder(at, repository), 'cat-file', '-e', commit]);
    } catch (error) {
      if (error instanceof GitCommandError && error.exitCode === NONE) return true;
      throw error;
    }
  }
  return false;
}

const MAX_COMMITS = 1_000;

/** The newest commits with one parent that `head` has and `base` lacks, oldest first. */
export async function commitsBetween(
  at: LocalHostContext,
  repository: string,
  base: string,
  head: string,
): Promise<LocalCommit[]> {
  await requireRepository(at, repository);
  const log = await git([
    '--git-dir',
    repositoryFolder(at, repository),
    'log',
    '-z',
    '--topo-order',
    '--no-merges',
    `--max-count=${MAX_COMMITS}`,
    '--format=%H %T %at %P%n%B',
    '--end-of-options',
    head,
    `^${base}`,
  ]);
  const commits = log.split('\0').filter(Boolean).map(readCommit);
  return commits.filter(({ parent }) => parent !== '').toReversed();
}

function readCommit(text: string): LocalCommit {
  const [line = '', ...message] = text.split('\n');
  const [commit = '', tree = '', time = '', parent = ''] = line.split(' ');
  return { commit, tree, parent, time: Number(time), message: message.join('\n') };
}
