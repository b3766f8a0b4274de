import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { RepositoryError } from '../repository-error.ts';
import { writeAtomically } from './atomic-files.ts';
import { branchHeads } from './branch-head.ts';
import { GitCommandError, type GitOptions } from './git-command.ts';
import { ObjectReader } from './object-reader.ts';
import type { GitRemote } from './remote.ts';
import { askRemote } from './remote-git.ts';

/** In a store: the folder of a fetch that runs begins so. */
export const SCRATCH = 'scratch-';
/** No fetch takes so long: its activity ends sooner. */
const LEFT_MS = 60 * 60_000;
/** Of one answer, in bytes; what is asked for at once is far below. */
const MAX_PART = 256 * 1024 * 1024;

const FETCH = [
  ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'],
  '--recurse-submodules=no',
];

/** The commits whose parents were left out when this one was fetched are listed in this file. */
export function boundaryOf(store: string, commit: string): string {
  return join(store, 'fetched', commit);
}

/**
 * Brings one commit with at most `depth` commits of its history into the store, and notes it as
 * fetched. Of a remote that hands out single objects, file contents are left out.
 *
 * A store is a bare repository that processes share without locks: it only ever gains whole packs.
 * What git would keep beside them and rewrite (refs, the list of shallow commits) lives in a scratch
 * folder per fetch. Throws `RepositoryError`.
 */
export async function fetchCommit(
  remote: GitRemote,
  store: string,
  commit: string,
  depth: (have: boolean) => number,
  signal: AbortSignal,
): Promise<void> {
  await createStore(store);
  const have = await newestIn(join(store, 'fetched'), commit);
  await withScratch(store, have, async scratch => {
    const filter = remote.partial ? ['--filter=blob:none'] : [];
    const args = [...FETCH, `--depth=${depth(have !== undefined)}`, ...filter, 'origin', commit];
    await ask(remote, args, [commit], { environment: scratch.environment, signal });
    const boundary = await readFile(join(scratch.gitdir, 'shallow')).catch(() => '');
    await writeAtomically(boundaryOf(store, commit), boundary); // before the scratch goes: cache-trim.ts
  });
}

/**
 * Brings single objects: into the store, or, for `work` alone, into a repository that is gone
 * afterwards. Throws `RepositoryError`.
 */
export async function fetchObjects(
  remote: GitRemote,
  store: string,
  ids: readonly string[],
  signal: AbortSignal,
  work?: (repository: ObjectReader) => Promise<void>,
): Promise<void> {
  await createStore(store);
  await withScratch(store, undefined, async ({ gitdir, environment }) => {
    const own = join(gitdir, 'objects');
    if (work) await mkdir(join(own, 'pack'), { recursive: true });
    const at = work ? { ...environment, GIT_OBJECT_DIRECTORY: resolve(own) } : environment;
    const args = [
      ...['-c', 'fetch.negotiationAlgorithm=noop'],
      ...[...FETCH, '--depth=1', '--filter=blob:none', '--stdin', 'origin'],
    ];
    const input = ids.map(id => `${id}\n`).join('');
    await ask(remote, args, ids, { environment: at, input, signal });
    if (!work) return;
    const reader = new ObjectReader(gitdir);
    try {
      await work(reader);
    } finally {
      reader.close();
    }
  });
}

interface Scratch {
  gitdir: string;
  environment: Record<string, string>;
}

/**
 * What a scratch repository has: a commit and its history to the commits of `boundary`. Git tells the
 * host about them if they are in its list of shallow commits, and only acts on them as grafts.
 */
interface Have {
  commit: string;
  boundary: string;
  list: 'shallow' | 'info/grafts';
}

/**
 * Works with a repository that has the store's objects, and of its own a list of commits without
 * parents: those of `have`, which it says to have.
 */
export async function withScratch<T>(
  store: string,
  have: Have | undefined,
  work: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  await removeLeftScratch(store);
  const gitdir = await mkdtemp(join(store, SCRATCH));
  try {
    await mkdir(join(gitdir, 'refs'));
    await writeFile(join(gitdir, 'HEAD'), 'ref: refs/heads/none\n');
    if (have) {
      await writeFile(join(gitdir, 'refs/have'), `${have.commit}\n`);
      // An earlier version noted no boundary: then nothing before the commit counts as here.
      await mkdir(join(gitdir, 'info'));
      await writeFile(join(gitdir, have.list), have.boundary || `${have.commit}\n`);
    }
    const objects = resolve(store, 'objects');
    return await work({
      gitdir,
      environment: { GIT_DIR: resolve(gitdir), GIT_OBJECT_DIRECTORY: objects },
    });
  } finally {
    await rm(gitdir, { recursive: true, force: true });
  }
}

async function ask(
  remote: GitRemote,
  args: readonly string[],
  wanted: readonly string[],
  options: Pick<GitOptions, 'environment' | 'input' | 'signal'>,
): Promise<void> {
  try {
    const limits = remote.partial ? { fileBytes: MAX_PART } : {};
    await askRemote(remote, args, { ...options, limits });
  } catch (error) {
    if (!(error instanceof GitCommandError)) throw error;
    throw await explainFetch(error, remote, wanted);
  }
}

/** A bare repository. Git itself reads it, too. */
async function createStore(store: string): Promise<void> {
  for (const name of ['objects/pack', 'refs', 'fetched'])
    await mkdir(join(store, name), { recursive: true });
  const head = join(store, 'HEAD');
  if (!(await stat(head).catch(() => undefined)))
    await writeAtomically(head, 'ref: refs/heads/none\n');
}

/** Removes what processes that were killed have left in a store. */
export async function removeLeftScratch(store: string): Promise<void> {
  for (const name of await readdir(store).catch(() => [])) {
    if (!name.startsWith(SCRATCH)) continue;
    const folder = join(store, name);
    const since = (await stat(folder).catch(() => undefined))?.mtimeMs;
    if (since !== undefined && since < Date.now() - LEFT_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

async function explainFetch(
  cause: GitCommandError,
  remote: GitRemote,
  [wanted = '']: readonly string[],
): Promise<RepositoryError> {
  const { name } = remote;
  const isMissing = /not our ref|unadvertised object|unable to find|no such remote ref/i;
  if (!isMissing.test(cause.stderr))
    return new RepositoryError(
      'repository_unreachable',
      `${name} gives an answer that cannot be read, or more than ${MAX_PART / 1024 ** 2} MB at once.`,
      { cause },
    );
  if ((await branchHeads(remote, '', AbortSignal.timeout(30_000))).size === 0)
    return new RepositoryError(
      'repository_empty',
      `${name} has no commit yet: push one, then try again.`,
    );
  return new RepositoryError(
    'ref_not_found',
    `${name} does not hand out ${wanted.slice(0, 10)}: its branch may be gone.`,
    { cause },
  );
}

/**
 * The commit that was fetched last: what is new is small beside it. Not the wanted one: it is
 * wanted because its files are gone.
 */
async function newestIn(fetched: string, wanted: string): Promise<Have | undefined> {
  const commits = (await readdir(fetched)).filter(
    name => /^[0-9a-f]{40}$/.test(name) && name !== wanted,
  );
  const times = await Promise.all(
    commits.map(async commit => ({
      commit,
      at: (await stat(join(fetched, commit)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const [last] = times.sort((a, b) => b.at - a.at);
  if (!last) return undefined;
  const boundary = await readFile(join(fetched, last.commit), 'utf8').catch(() => undefined);
  return boundary === undefined ? undefined : { commit: last.commit, boundary, list: 'shallow' };
}
