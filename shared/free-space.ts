import { statfs } from 'node:fs/promises';

/** Below it a disk is about to be full: a job writes pages and packs of some megabytes. */
const LITTLE_BYTES = 100e6;

/** What this process may still write below the folder; undefined where nothing is known. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined); // it is made by the first write
  return found && found.bavail * found.bsize;
}

/** A sentence if there is little left, without the folder's path: anybody may read it. */
export async function littleSpace(folder: string): Promise<string | undefined> {
  const free = await freeBytes(folder);
  if (free === undefined || free >= LITTLE_BYTES) return undefined;
  return `The disk of the data folder has ${Math.floor(free / 1e6)} MB left: free some, or give it more.`;
}
