import { utimesSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import git from 'isomorphic-git';
import type { FileMode } from '../../shared/workspace.ts';
import { RepositoryError } from '../repository-error.ts';
import { atomicFs, writeAtomically } from './atomic-files.ts';
import { trimCache } from './cache-trim.ts';
import type { BuiltCommit } from './commit.ts';
import { fetchCommit } from './fetch.ts';
import { Gate } from './gate.ts';
import { inGitOrder } from './objects.ts';
import { fetchPartially, LazyBlobs } from './partial-snapshot.ts';
import type { GitRemote } from './remote.ts';
import type { Listed, StoredEntry, StoredSnapshot } from './stored-snapshot.ts';

interface Listing {
  time: number;
  trees: [folder: string, id: string][];
  entries: [path: string, mode: FileMode, id: string, size: number][];
}

/** isomorphic-git holds a pack in memory while it works on it: 375 MB for a repository of 86 MB. */
const FETCHES_AT_ONCE = 2;
const FILES_AT_ONCE = 16;
const KEPT_IN_MEMORY = 64;
/** To look through the cache takes a second for some 100,000 files. */
const TRIM_EVERY_MS = 60 * 60_000;

/**
 * Snapshots on a worker's disk, one folder per repository:
 * `store` git packs as fetched, `blobs` file contents by id, `snapshots` one listing per commit.
 * Everything is immutable and appears whole, so worker processes may share the folder,
 * and it may be deleted at any time: what is missing is fetched again. It is kept below `maxBytes`
 * (cache-trim.ts).
 */
export class SnapshotCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #fetchMs: number;
  #trimmedAt = 0;
  readonly #gate = new Gate(FETCHES_AT_ONCE);
  readonly #known = new Map<string, Promise<StoredSnapshot>>();

  constructor(folder: string, maxBytes: number, fetchMs: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#fetchMs = fetchMs;
  }

  /**
   * The files at a commit. Callers that ask at once share one fetch; who aborts leaves it to the
   * others. Throws `RepositoryError`.
   */
  async get(remote: GitRemote, commit: string, signal: AbortSignal): Promise<StoredSnapshot> {
    const snapshot = await this.#get(remote, commit, signal);
    if (touched(listingPath(this.#folderOf(remote), commit))) return snapshot;
    // Trimmed or emptied meanwhile, so its files may be gone.
    this.#known.delete(`${remote.key}@${commit}`);
    return await this.#get(remote, commit, signal);
  }

  async #get(remote: GitRemote, commit: string, signal: AbortSignal): Promise<StoredSnapshot> {
    signal.throwIfAborted();
    const key = `${remote.key}@${commit}`;
    const shared = this.#known.get(key) ?? this.#load(remote, commit);
    this.#remember(key, shared);
    let abort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
    });
    try {
      return await Promise.race([shared, aborted]);
    } finally {
      if (abort) signal.removeEventListener('abort', abort);
    }
  }

  /** Keeps a commit of our own, so that the next commit on top of it needs no fetch. */
  async add(remote: GitRemote, built: BuiltCommit): Promise<void> {
    const folder = this.#folderOf(remote);
    for (const { type, id, bytes } of built.objects) {
      if (type === 'blob') await writeAtomically(blobPath(folder, id), bytes);
    }
    await writeListing(folder, built.commit, built);
    this.#remember(
      `${remote.key}@${built.commit}`,
      Promise.resolve(this.#snapshot(remote, built.commit, built)),
    );
    void this.#trim(); // where nobody merges, commits come and none is fetched
  }

  async #load(remote: GitRemote, commit: string): Promise<StoredSnapshot> {
    const folder = this.#folderOf(remote);
    const listing = await readListing(folder, commit);
    if (listing) return this.#snapshot(remote, commit, listing);
    return await this.#gate.run(async () => {
      const signal = AbortSignal.timeout(this.#fetchMs);
      const fetched = remote.partial
        ? await fetchPartially(remote, id => blobPath(folder, id), commit, signal)
        : await fetchWhole(remote, folder, commit, signal);
      await writeListing(folder, commit, fetched);
      void this.#trim();
      return this.#snapshot(remote, commit, fetched);
    });
  }

  /** Beside the job that filled the cache. What cannot be removed does not make the job fail. */
  async #trim(): Promise<void> {
    if (Date.now() - this.#trimmedAt < TRIM_EVERY_MS) return;
    this.#trimmedAt = Date.now();
    await trimCache(this.#folder, this.#maxBytes).catch(() => undefined);
  }

  #snapshot(remote: GitRemote, commit: string, { entries, trees, time }: Listed): StoredSnapshot {
    const folder = this.#folderOf(remote);
    const lazy = remote.partial ? new LazyBlobs(remote, id => blobPath(folder, id)) : undefined;
    const read = async (path: string): Promise<Buffer | undefined> => {
      const entry = entries.get(path);
      if (!entry || entry.mode === '160000') return undefined;
      try {
        return await readFile(blobPath(folder, entry.id));
      } catch (cause) {
        if (lazy) return await lazy.read(entry.id);
        this.#known.delete(`${remote.key}@${commit}`);
        await rm(listingPath(folder, commit), { force: true });
        throw emptied(cause);
      }
    };
    const fileOf = (path: string): string | undefined => {
      const entry = entries.get(path);
      return entry && entry.mode !== '160000' ? blobPath(folder, entry.id) : undefined;
    };
    return { commit, entries, trees, time, read, fileOf };
  }

  /** The newest last; the oldest goes. A failure is not remembered. */
  #remember(key: string, snapshot: Promise<StoredSnapshot>): void {
    this.#known.delete(key);
    this.#known.set(key, snapshot);
    snapshot.catch(() => {
      if (this.#known.get(key) === snapshot) this.#known.delete(key);
    });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KEPT_IN_MEMORY) break;
      this.#known.delete(oldest);
    }
  }

  #folderOf(remote: GitRemote): string {
    return join(this.#folder, encodeURIComponent(remote.key)); // a folder each, side by side
  }
}

async function fetchWhole(
  remote: GitRemote,
  folder: string,
  commit: string,
  signal: AbortSignal,
): Promise<Listed> {
  const store = join(folder, 'store');
  await fetchCommit(remote, store, commit, signal);
  return await unpack(store, folder, commit).catch(async (error: unknown) => {
    if (!(error instanceof git.Errors.NotFoundError)) throw error;
    // Trimmed during the fetch: git believes that we have what is gone, and would leave it out of
    // every further answer.
    await rm(store, { recursive: true, force: true });
    throw emptied(error);
  });
}

function emptied(cause: unknown): RepositoryError {
  return new RepositoryError(
    'repository_unreachable',
    'The repository cache was deleted in the meantime; the next attempt fills it again.',
    { cause },
  );
}

/**
 * Lists the commit's files and writes out each content that is not there yet: reading is then a
 * plain file, 20 times faster than from a pack.
 */
async function unpack(store: string, folder: string, commit: string): Promise<Listed> {
  const at = { fs: atomicFs, gitdir: store, cache: {} };
  const trees = new Map<string, string>();
  const entries = new Map<string, StoredEntry>();
  const list = async (tree: string, prefix: string): Promise<void> => {
    trees.set(prefix.slice(0, -1), tree);
    for (const { path, mode, oid, type } of (await git.readTree({ ...at, oid: tree })).tree) {
      if (type === 'tree') await list(oid, `${prefix}${path}/`);
      else entries.set(prefix + path, { id: oid, mode: mode as FileMode, size: 0 });
    }
  };
  const {
    commit: { tree: root, committer },
  } = await git.readCommit({ ...at, oid: commit });
  await list(root, '');
  const gate = new Gate(FILES_AT_ONCE);
  await Promise.all(
    [...entries.values()].map(entry =>
      gate.run(async () => {
        if (entry.mode === '160000') return;
        const path = blobPath(folder, entry.id);
        const present = await stat(path).catch(() => undefined);
        if (present) {
          entry.size = present.size;
          return;
        }
        const { blob } = await git.readBlob({ ...at, oid: entry.id });
        entry.size = blob.byteLength;
        await writeAtomically(path, blob);
      }),
    ),
  );
  return { entries: inGitOrder(entries), trees, time: committer.timestamp };
}

async function readListing(folder: string, commit: string): Promise<Listed | undefined> {
  const text = await readFile(listingPath(folder, commit), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const listing = JSON.parse(text) as Listing;
  if (!Number.isFinite(listing.time)) return undefined; // written by an older worker
  return {
    time: listing.time,
    trees: new Map(listing.trees),
    entries: new Map(listing.entries.map(([path, mode, id, size]) => [path, { id, mode, size }])),
  };
}

async function writeListing(
  folder: string,
  commit: string,
  { entries, trees, time }: Listed,
): Promise<void> {
  const listing: Listing = {
    time,
    trees: [...trees],
    entries: [...entries].map(([path, { mode, id, size }]) => [path, mode, id, size]),
  };
  await writeAtomically(listingPath(folder, commit), JSON.stringify(listing));
}

/**
 * Notes that the file is in use. False where it is gone. Each activity asks: to hand this to a
 * thread takes 30 times as long as to do it.
 */
function touched(path: string): boolean {
  const now = new Date();
  try {
    utimesSync(path, now, now);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function listingPath(folder: string, commit: string): string {
  return join(folder, 'snapshots', `${commit}.json`);
}

function blobPath(folder: string, id: string): string {
  return join(folder, 'blobs', id.slice(0, 2), id.slice(2));
}
