import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileMode } from '../../shared/workspace.ts';
import { RepositoryError } from '../repository-error.ts';
import { writeAtomically } from './atomic-files.ts';
import { fetchCommit, fetchObjects } from './fetch.ts';
import { Gate } from './gate.ts';
import { readGit } from './git-command.ts';
import { inGitOrder } from './objects.ts';
import { ObjectReader } from './object-reader.ts';
import type { GitRemote } from './remote.ts';
import type { Listed, StoredEntry } from './stored-snapshot.ts';

/** What nearly every job reads. Other contents are fetched when they are read. */
const READ_BY_EVERY_JOB = /\.mdx?$/i;
const BLOBS_AT_ONCE = 5_000;
const FILES_AT_ONCE = 16;
/** Characters: some million files. */
const LONGEST_LISTING = 256 * 1024 * 1024;
/** Reads that come together are fetched together. */
const GATHER_MS = 5;
const LAZY_TIMEOUT_MS = 2 * 60_000;
/**
 * With this depth the server finds that what we have is an ancestor, and leaves its files out; at
 * depth 1 it sends every file again. If it is not a near ancestor, this many commits are sent.
 */
const NEAR = 20;

/** Where a repository's folder has git's packs, and where the contents by id. */
export function storeOf(folder: string): string {
  return join(folder, 'store');
}
export function blobPath(folder: string, id: string): string {
  return join(folder, 'blobs', id.slice(0, 2), id.slice(2));
}

/**
 * Brings a commit into the store that a commit upon it needs: itself and its folders. Throws
 * `RepositoryError`.
 */
export async function bringCommit(
  remote: GitRemote,
  folder: string,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  await fetchCommit(remote, storeOf(folder), commit, have => (have ? NEAR : 1), signal);
}

/**
 * A commit's listing, its contents as files: reading is then a plain file, 20 times faster than from
 * a pack. Of a remote that hands out single objects only the pages are fetched, all at once. Throws
 * `RepositoryError`, and `LostObject` if another process removed what was fetched.
 */
export async function fetchSnapshot(
  remote: GitRemote,
  folder: string,
  commit: string,
  signal: AbortSignal,
): Promise<Listed> {
  await bringCommit(remote, folder, commit, signal);
  const reader = new ObjectReader(storeOf(folder));
  try {
    const head = (await reader.read(commit).catch(lost)).toString('utf8');
    const [, root = ''] = /^tree ([0-9a-f]{40})$/m.exec(head) ?? [];
    const [, time = ''] = /^committer .* (\d+) [+-]\d{4}$/m.exec(head) ?? [];
    const listed = await list(storeOf(folder), commit, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      return lost(error);
    });
    const wanted = [...listed.entries].filter(
      ([path, { mode }]) =>
        mode !== '160000' &&
        (!remote.partial || (READ_BY_EVERY_JOB.test(path) && mode.startsWith('100'))),
    );
    // Sizes are noted when a file is seen: another process may trim the cache before the end.
    const sizes = await sizesOf(folder, new Set(wanted.map(([, { id }]) => id)));
    const missing = [...sizes].filter(([, size]) => size === undefined).map(([id]) => id);
    const put = (from: ObjectReader, ids: readonly string[]) => write(folder, from, ids, sizes);
    if (!remote.partial) await put(reader, missing).catch(lost);
    else await fetchBlobs(remote, folder, missing, signal, put);
    for (const [, entry] of wanted) entry.size = sizes.get(entry.id) ?? 0;
    listed.trees.set('', root);
    return { ...listed, time: Number(time) };
  } finally {
    reader.close();
  }
}

/** What was fetched is gone: the cache was trimmed meanwhile. */
export class LostObject extends Error {
  override readonly name = 'LostObject';
}

function lost(cause: unknown): never {
  throw isOurDisk(cause) ? cause : new LostObject('a fetched object is gone', { cause });
}

function isOurDisk(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code?.startsWith('E') === true;
}

/** Of `git ls-tree -r -t -z`: mode, type, id, a tab and the path. */
async function list(
  gitdir: string,
  commit: string,
  signal: AbortSignal,
): Promise<{ entries: Map<string, StoredEntry>; trees: Map<string, string> }> {
  const args = ['--git-dir', gitdir, 'ls-tree', '-r', '-t', '-z', '--full-tree', commit];
  const { text, isCut } = await readGit(args, { signal }, LONGEST_LISTING);
  if (isCut) throw new RepositoryError('repository_unreachable', 'Its list of files is too long.');
  const trees = new Map<string, string>();
  const entries = new Map<string, StoredEntry>();
  for (const line of text.split('\0')) {
    const tab = line.indexOf('\t');
    const [mode = '', type, id = ''] = line.slice(0, tab).split(' ');
    const path = line.slice(tab + 1);
    if (type === 'tree') trees.set(path, id);
    else if (tab > 0) entries.set(path, { id, mode: mode as FileMode, size: 0 });
  }
  return { entries: inGitOrder(entries), trees };
}

async function sizesOf(folder: string, ids: Set<string>): Promise<Map<string, number | undefined>> {
  const gate = new Gate(FILES_AT_ONCE);
  const sized = [...ids].map(id =>
    gate.run(async (): Promise<[string, number | undefined]> => {
      const present = await stat(blobPath(folder, id)).catch(() => undefined);
      return [id, present?.size];
    }),
  );
  return new Map(await Promise.all(sized));
}

async function write(
  folder: string,
  from: ObjectReader,
  ids: readonly string[],
  sizes: Map<string, number | undefined>,
): Promise<void> {
  const gate = new Gate(FILES_AT_ONCE);
  await Promise.all(
    ids.map(id =>
      gate.run(async () => {
        const bytes = await from.read(id);
        sizes.set(id, bytes.length);
        await writeAtomically(blobPath(folder, id), bytes);
      }),
    ),
  );
}

async function fetchBlobs(
  remote: GitRemote,
  folder: string,
  ids: readonly string[],
  signal: AbortSignal,
  put: (from: ObjectReader, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += BLOBS_AT_ONCE) {
    const batch = ids.slice(start, start + BLOBS_AT_ONCE);
    await fetchObjects(remote, storeOf(folder), batch, signal, from =>
      put(from, batch).catch((cause: unknown) => {
        if (isOurDisk(cause)) throw cause;
        throw new RepositoryError('repository_unreachable', `${remote.name} left out files.`, {
          cause,
        });
      }),
    );
  }
}

/**
 * Contents that were left out, fetched when they are read; reads that come together share a
 * request.
 */
export class LazyBlobs {
  readonly #remote: GitRemote;
  readonly #folder: string;
  #gathering: { ids: Set<string>; done: Promise<void> } | undefined;

  constructor(remote: GitRemote, folder: string) {
    this.#remote = remote;
    this.#folder = folder;
  }

  /** Throws `RepositoryError`. */
  async read(id: string): Promise<Buffer> {
    this.#gathering ??= this.#gather();
    this.#gathering.ids.add(id);
    await this.#gathering.done;
    return await readFile(blobPath(this.#folder, id));
  }

  #gather(): { ids: Set<string>; done: Promise<void> } {
    const ids = new Set<string>();
    const done = new Promise(resolve => {
      setTimeout(resolve, GATHER_MS);
    }).then(async () => {
      this.#gathering = undefined;
      const signal = AbortSignal.timeout(LAZY_TIMEOUT_MS);
      await fetchBlobs(this.#remote, this.#folder, [...ids], signal, (from, batch) =>
        write(this.#folder, from, batch, new Map()),
      );
    });
    return { ids, done };
  }
}
