import { utimesSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileMode } from '../../shared/workspace.ts';
import { RepositoryError } from '../repository-error.ts';
import { writeAtomically } from './atomic-files.ts';
import { trimCache } from './cache-trim.ts';
import { Gate } from './gate.ts';
import { blobPath, fetchSnapshot, LazyBlobs, LostObject, storeOf } from './partial-snapshot.ts';
import { type Push, pushCommit } from './push.ts';
import type { GitRemote } from './remote.ts';
import type { Listed, StoredSnapshot } from './stored-snapshot.ts';

interface Listing {
  time: number;
  trees: [folder: string, id: string][];
  entries: [path: string, mode: FileMode, id: string, size: number][];
}

/** A fetch may keep a core and the disk busy. */
const FETCHES_AT_ONCE = 2;
const KEPT_IN_MEMORY = 64;
/** To look through the cache takes a second for some 100,000 files. */
const TRIM_EVERY_MS = 60 * 60_000;

/**
 * Snapshots on a worker's disk, one folder per repository:
 * `store` git's packs as fetched, `blobs` file contents by id, `snapshots` one listing per commit.
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

  /**
   * Pushes a commit of our own (push.ts) and keeps it, so that the next commit on top of it needs no
   * fetch.
   */
  async push(remote: GitRemote, push: Push, signal: AbortSignal): Promise<void> {
    const folder = this.#folderOf(remote);
    await pushCommit(remote, folder, push, signal);
    const { built } = push;
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
      const fetched = await fetchInto(remote, folder, commit, signal);
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
    const lazy = remote.partial ? new LazyBlobs(remote, folder) : undefined;
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

async function fetchInto(
  remote: GitRemote,
  folder: string,
  commit: string,
  signal: AbortSignal,
): Promise<Listed> {
  return await fetchSnapshot(remote, folder, commit, signal).catch(async (error: unknown) => {
    if (!(error instanceof LostObject)) throw error;
    // Trimmed during the fetch: git believes that we have what is gone, and would leave it out of
    // every further answer.
    await rm(storeOf(folder), { recursive: true, force: true });
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
