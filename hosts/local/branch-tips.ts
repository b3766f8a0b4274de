import { type LocalHostContext, repositoryFolder } from './context.ts';
import { git, GitCommandError } from './git-command.ts';
import { readBranches } from './refs.ts';
import { requireRepository } from './repositories.ts';
import type { LocalCommit } from './schemas.ts';

interface Tips {
  base: string | undefined;
  head: string | undefined;
  /** The nearest common ancestor. */
  parting: string | undefined;
}

/** Where two branches are and where they part. */
export async function readTips(
  at: LocalHostContext,
  repository: string,
  base: string,
  head: string,
): Promise<Tips> {
  const folder = repositoryFolder(at, repository);
  const commits = await readBranches(folder, [base, head]);
  const tips = { base: commits.get(base), head: commits.get(head) };
  if (tips.base === undefined || tips.head === undefined) return { ...tips, parting: undefined };
  const parting = await partings.of(tips.base, tips.head, () =>
    mergeBase(at, repository, tips.base as string, tips.head as string),
  );
  return { ...tips, parting: parting ?? undefined };
}

/** The nearest ancestor of two commits never changes. */
class Partings {
  readonly #known = new Map<string, string>();

  async of(a: string, b: string, ask: () => Promise<string | null>): Promise<string | null> {
    const key = `${a} ${b}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await ask();
    if (this.#known.size >= MOST_PARTINGS) this.#known.clear();
    // "None" may mean that one of them was not here.
    if (found !== null) this.#known.set(key, found);
    return found;
  }
}

const MOST_PARTINGS = 10_000;
const partings = new Partings();

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
