import { readFile, stat } from 'node:fs/promises';
import type { FileMode } from '../../shared/workspace.ts';
import { RepositoryError } from '../repository-error.ts';
import { writeAtomically } from './atomic-files.ts';
import { type GitObject, gitObject, inGitOrder } from './objects.ts';
import { objectsIn } from './pack.ts';
import { fetchPack } from './partial-fetch.ts';
import type { GitRemote } from './remote.ts';
import type { Listed, StoredEntry } from './stored-snapshot.ts';

/** What nearly every job reads. Other contents are fetched when they are read. */
const READ_BY_EVERY_JOB = /\.mdx?$/i;
const BLOBS_AT_ONCE = 500;
/** Reads that come together are fetched together. */
const GATHER_MS = 5;
const LAZY_TIMEOUT_MS = 2 * 60_000;

/**
 * A commit's listing, its pages on disk under `blobPath`: one request for the commit with all its
 * trees, and one for every 500 pages that are not there yet. Memory holds the trees and one answer
 * at a time. Throws `RepositoryError`.
 */
export async function fetchPartially(
  remote: GitRemote,
  blobPath: (id: string) => string,
  commit: string,
  signal: AbortSignal,
): Promise<Listed> {
  const objects = new Map<string, GitObject>();
  await readPack(remote, [commit], blobPath, signal, object => {
    objects.set(object.id, object);
  });
  const head = objects.get(commit)?.bytes.toString('utf8') ?? '';
  const [, root = ''] = /^tree ([0-9a-f]{40})$/m.exec(head) ?? [];
  const [, time = ''] = /^committer .* (\d+) [+-]\d{4}$/m.exec(head) ?? [];
  const trees = new Map<string, string>();
  const entries = new Map<string, StoredEntry>();
  const list = (id: string, prefix: string): void => {
    trees.set(prefix.slice(0, -1), id);
    const tree = objects.get(id);
    if (tree?.type !== 'tree')
      throw new RepositoryError(
        'repository_unreachable',
        `${remote.name} left out a folder of commit ${commit.slice(0, 10)}.`,
      );
    for (const { mode, name, id: child } of treeLines(tree.bytes)) {
      if (mode === '40000') list(child, `${prefix}${name}/`);
      else entries.set(prefix + name, { id: child, mode: mode as FileMode, size: 0 });
    }
  };
  list(root, '');
  await fetchPages(remote, blobPath, entries, signal);
  return { entries: inGitOrder(entries), trees, time: Number(time) };
}

async function fetchPages(
  remote: GitRemote,
  blobPath: (id: string) => string,
  entries: Map<string, StoredEntry>,
  signal: AbortSignal,
): Promise<void> {
  const pages = [...entries]
    .filter(([path, { mode }]) => READ_BY_EVERY_JOB.test(path) && mode.startsWith('100'))
    .map(([, entry]) => entry);
  // Sizes are noted when a file is seen: another process may trim the cache before the end.
  const sizes = new Map<string, number>();
  const missing = new Set<string>();
  for (const { id } of pages) {
    const present = await stat(blobPath(id)).catch(() => undefined);
    if (present) sizes.set(id, present.size);
    else missing.add(id);
  }
  const ids = [...missing];
  for (let start = 0; start < ids.length; start += BLOBS_AT_ONCE) {
    const batch = ids.slice(start, start + BLOBS_AT_ONCE);
    for (const [id, size] of await fetchBlobs(remote, batch, blobPath, signal)) sizes.set(id, size);
  }
  for (const entry of pages) entry.size = sizes.get(entry.id) ?? 0;
}

/**
 * Writes blobs to disk; their sizes in bytes by id. Throws `RepositoryError` if the remote leaves
 * one out.
 */
async function fetchBlobs(
  remote: GitRemote,
  ids: string[],
  blobPath: (id: string) => string,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const missing = new Set(ids);
  await readPack(remote, ids, blobPath, signal, object => {
    if (missing.delete(object.id)) sizes.set(object.id, object.bytes.byteLength);
  });
  if (missing.size > 0)
    throw new RepositoryError(
      'repository_unreachable',
      `${remote.name} left out ${missing.size} of ${ids.length} files.`,
    );
  return sizes;
}

async function readPack(
  remote: GitRemote,
  wants: string[],
  blobPath: (id: string) => string,
  signal: AbortSignal,
  take: (object: GitObject) => void,
): Promise<void> {
  const pack = await fetchPack(remote, wants, signal);
  const stored = async (id: string): Promise<GitObject | undefined> => {
    const bytes = await readFile(blobPath(id)).catch(() => undefined);
    return bytes && gitObject('blob', bytes);
  };
  try {
    for await (const object of objectsIn(pack, stored)) {
      if (object.type === 'blob') await writeAtomically(blobPath(object.id), object.bytes);
      take(object);
    }
  } catch (cause) {
    signal.throwIfAborted();
    if ((cause as NodeJS.ErrnoException).code?.startsWith('E')) throw cause; // our disk
    throw new RepositoryError(
      'repository_unreachable',
      `${remote.name} gives an answer that cannot be read.`,
      { cause },
    );
  }
}

function* treeLines(bytes: Buffer): Generator<{ mode: string; name: string; id: string }> {
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0, space);
    yield {
      mode: bytes.toString('latin1', at, space),
      name: bytes.toString('utf8', space + 1, nul),
      id: bytes.toString('hex', nul + 1, nul + 21),
    };
    at = nul + 21;
  }
}

/**
 * Contents that were left out, fetched when they are read; reads that come together share a
 * request.
 */
export class LazyBlobs {
  readonly #remote: GitRemote;
  readonly #blobPath: (id: string) => string;
  #gathering: { ids: Set<string>; done: Promise<void> } | undefined;

  constructor(remote: GitRemote, blobPath: (id: string) => string) {
    this.#remote = remote;
    this.#blobPath = blobPath;
  }

  /** Throws `RepositoryError`. */
  async read(id: string): Promise<Buffer> {
    this.#gathering ??= this.#gather();
    this.#gathering.ids.add(id);
    await this.#gathering.done;
    return await readFile(this.#blobPath(id));
  }

  #gather(): { ids: Set<string>; done: Promise<void> } {
    const ids = new Set<string>();
    const done = new Promise(resolve => {
      setTimeout(resolve, GATHER_MS);
    }).then(async () => {
      this.#gathering = undefined;
      await fetchBlobs(
        this.#remote,
        [...ids],
        this.#blobPath,
        AbortSignal.timeout(LAZY_TIMEOUT_MS),
      );
    });
    return { ids, done };
  }
}
