import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { removeLeftScratch, SCRATCH } from './fetch.ts';
import { Gate } from './gate.ts';

/** No activity still uses what was last used so long ago: they end sooner. */
const IN_USE_MS = 60 * 60_000;
/** Room is made for more than the next fetch. */
const LEFT = 0.8;
const FILES_AT_ONCE = 16;
/**
 * Folders on their way out; one is left behind where its process died. No repository's folder has a
 * bare `=` in its name.
 */
const GONE = /=gone-[0-9a-f]+$/;

interface StoredFile {
  path: string;
  bytes: number;
  usedAt: number;
}
interface StoredRepository {
  folder: string;
  bytes: number;
  usedAt: number;
  files: StoredFile[];
}

/**
 * Brings a cache of repositories (snapshot-cache.ts) below `maxBytes`: whole repositories go, the
 * least recently used first; of those that are in use, the snapshots that are not, and git's packs
 * where they have grown. It removes no snapshot that was used within the hour, so it may end above
 * the bound. Processes may do so at once, and
 * while others read: a reader that misses something fetches it again.
 */
export async function trimCache(root: string, maxBytes: number): Promise<void> {
  const repositories = await survey(root);
  const total = repositories.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return;
  let excess = total - maxBytes * LEFT;
  const unusedSince = Date.now() - IN_USE_MS;
  for (const repository of repositories.sort((a, b) => a.usedAt - b.usedAt)) {
    if (excess <= 0) return;
    if (repository.usedAt < unusedSince) excess -= await removeWhole(repository);
    else {
      excess -= await removeUnused(repository, unusedSince);
      if (excess > 0) excess -= await removeGrownStore(repository.folder, unusedSince);
    }
  }
}

async function survey(root: string): Promise<StoredRepository[]> {
  const found: StoredRepository[] = [];
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name);
    if (GONE.test(name)) {
      await rm(folder, { recursive: true, force: true });
      continue;
    }
    await removeLeftScratch(join(folder, 'store'));
    found.push(await look(folder));
  }
  return found;
}

/**
 * A file's time of modification is that of its last use: listings are touched whenever their
 * snapshot is handed out.
 */
async function look(folder: string): Promise<StoredRepository> {
  const gate = new Gate(FILES_AT_ONCE);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    () => undefined,
  );
  // A folder in it went away meanwhile: it is in use, and nothing is known of its files.
  if (!entries) return { folder, bytes: 0, usedAt: Infinity, files: [] };
  const files = await Promise.all(
    entries
      .filter(entry => entry.isFile())
      .map(entry =>
        gate.run(async () => {
          const path = join(entry.parentPath, entry.name);
          const found = await stat(path).catch(() => undefined); // gone meanwhile
          return { path, bytes: found?.size ?? 0, usedAt: found?.mtimeMs ?? 0 };
        }),
      ),
  );
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    folder,
    bytes,
    usedAt: files.reduce((newest, file) => Math.max(newest, file.usedAt), 0),
    files,
  };
}

async function removeWhole({ folder, bytes }: StoredRepository): Promise<number> {
  await removeAtOnce(folder, folder);
  return bytes;
}

/**
 * Each fetch adds a pack, and a repository that is fetched every hour never has an unused one. Once
 * its packs are larger than all files that they were unpacked to, the next fetch brings all of it
 * again.
 */
async function removeGrownStore(folder: string, unusedSince: number): Promise<number> {
  const { files } = await look(folder); // without what was just removed
  const within = (...names: string[]) => {
    const start = join(folder, ...names);
    return files.filter(({ path }) => path.startsWith(start));
  };
  const sizeOf = (name: string) => within(name, sep).reduce((sum, { bytes }) => sum + bytes, 0);
  const size = sizeOf('store');
  if (size <= sizeOf('blobs') || within('store', SCRATCH).length > 0) return 0;
  const isUnpacked = ({ path, usedAt }: StoredFile): boolean =>
    usedAt < unusedSince || within('snapshots', `${basename(path)}.json`).length > 0;
  if (!within('store', 'fetched', sep).every(isUnpacked)) return 0;
  await removeAtOnce(join(folder, 'store'), folder);
  return size;
}

/** In one step for all who read or write there: the name is free at once. */
async function removeAtOnce(path: string, repository: string): Promise<void> {
  const gone = `${repository}=gone-${randomBytes(6).toString('hex')}`;
  const moved = await rename(path, gone).then(
    () => true,
    () => false,
  ); // another process was quicker
  if (moved) await rm(gone, { recursive: true, force: true });
}

/**
 * Removes the snapshots that nobody used lately, the contents that only they have, and git's packs
 * and history, which only the next fetch would spare itself something by.
 */
async function removeUnused(
  { folder, files }: StoredRepository,
  unusedSince: number,
): Promise<number> {
  const listings = files.filter(({ path }) => path.startsWith(join(folder, 'snapshots')));
  const needed = new Set<string>();
  for (const { path } of listings.filter(({ usedAt }) => usedAt >= unusedSince)) {
    const text = await readFile(path, 'utf8').catch(() => '');
    for (const [id] of text.matchAll(/[0-9a-f]{40}/g)) needed.add(id);
  }
  // …/blobs/ab/cdef…
  const idOf = (path: string): string => path.slice(-41).replace(/[/\\]/, '');
  const unused = files.filter(
    ({ path, usedAt }) =>
      usedAt < unusedSince && !(path.startsWith(join(folder, 'blobs')) && needed.has(idOf(path))),
  );
  // A store with half its packs is none: all of it goes, or nothing.
  const kept = ['store', 'history']
    .map(name => join(folder, name))
    .filter(store =>
      files.some(({ path, usedAt }) => path.startsWith(store) && usedAt >= unusedSince),
    );
  let freed = 0;
  for (const file of unused.filter(({ path }) => !kept.some(store => path.startsWith(store)))) {
    await rm(file.path, { force: true });
    freed += file.bytes;
  }
  return freed;
}
