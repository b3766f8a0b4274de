import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import git from 'isomorphic-git';
import { RepositoryError } from '../repository-error.ts';
import { atomicFs, writeAtomically } from './atomic-files.ts';
import { gitHttp } from './http.ts';
import type { GitRemote } from './remote.ts';

/**
 * With this depth the server finds that what we have is an ancestor, and leaves its files out; at
 * depth 1 it sends every file again. If it is not a near ancestor, this many commits are sent.
 */
const NEAR = 20;

/** In a store: the folder of a fetch that runs begins so. */
export const SCRATCH = 'scratch-';
/** No fetch takes so long: its activity ends sooner. */
const LEFT_MS = 60 * 60_000;

/** isomorphic-git refuses to fetch without one, though nothing is named by it here. */
const REMOTE = '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';

/**
 * Brings one commit's objects, with little of its history, into the object store at `store`.
 *
 * Processes share the store without locks: it only ever gains whole packs. What git would keep
 * beside it and rewrite (refs, the list of shallow commits) lives in a scratch folder per fetch.
 * Throws `RepositoryError`.
 */
export async function fetchCommit(
  remote: GitRemote,
  store: string,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const objects = resolve(store, 'objects');
  const fetched = join(store, 'fetched');
  await mkdir(join(objects, 'pack'), { recursive: true });
  await mkdir(fetched, { recursive: true });
  const have = await newestIn(fetched, commit);
  await removeLeftScratch(store);
  const gitdir = await mkdtemp(join(store, SCRATCH));
  try {
    await symlink(objects, join(gitdir, 'objects'), 'junction');
    await writeAtomically(join(gitdir, 'config'), REMOTE);
    await fetchInto(gitdir, remote, commit, have, signal);
    await writeAtomically(join(fetched, commit), ''); // before the scratch folder goes: cache-trim.ts
  } catch (error) {
    if (error instanceof RepositoryError) throw error;
    signal.throwIfAborted();
    throw await explainFetch(error, gitdir, remote, commit);
  } finally {
    await rm(gitdir, { recursive: true, force: true });
  }
}

async function fetchInto(
  gitdir: string,
  remote: GitRemote,
  commit: string,
  have: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (have) {
    // Its parents are not here, and the server must know that.
    await writeAtomically(join(gitdir, 'shallow'), `${have}\n`);
    await writeAtomically(join(gitdir, 'refs/have'), `${have}\n`);
  }
  const result = await git.fetch({
    fs: atomicFs,
    http: gitHttp(remote, signal),
    gitdir,
    url: remote.url,
    ref: 'refs/have',
    remoteRef: commit,
    singleBranch: true,
    depth: have ? NEAR : 1,
    tags: false,
  });
  if (result.defaultBranch === null && result.fetchHead === null) {
    throw new RepositoryError(
      'repository_empty',
      `${remote.name} has no commit yet: push one, then try again.`,
    );
  }
  await git.readCommit({ fs: atomicFs, gitdir, oid: commit });
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
  cause: unknown,
  gitdir: string,
  { name }: GitRemote,
  commit: string,
): Promise<RepositoryError> {
  // The cache was trimmed, by another process.
  const isEmptied = !(await stat(gitdir).catch(() => undefined));
  return isEmptied || !(cause instanceof git.Errors.NotFoundError)
    ? new RepositoryError(
        'repository_unreachable',
        `${name} gives an answer that cannot be read.`,
        { cause },
      )
    : new RepositoryError(
        'ref_not_found',
        `${name} does not hand out commit ${commit.slice(0, 10)}: its branch may be gone.`,
        { cause },
      );
}

/**
 * The commit that was fetched last: what is new is small beside it. Not the wanted one: it is
 * wanted because its files are gone.
 */
async function newestIn(fetched: string, wanted: string): Promise<string | undefined> {
  const commits = (await readdir(fetched)).filter(
    name => /^[0-9a-f]{40}$/.test(name) && name !== wanted,
  );
  const times = await Promise.all(
    commits.map(async commit => ({ commit, at: (await stat(join(fetched, commit))).mtimeMs })),
  );
  return times.sort((a, b) => b.at - a.at)[0]?.commit;
}
