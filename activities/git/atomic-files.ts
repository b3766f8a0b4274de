import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file so that a reader, also of another process, sees all of it or nothing.
 * Two writers of one path must be writing the same thing, or either may win.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await fs.writeFile(temporary, content);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await fs.mkdir(dirname(path), { recursive: true });
    await fs.writeFile(temporary, content);
  }
  await fs.rename(temporary, path);
}

/** What isomorphic-git needs of a file system. It writes packs and indexes in place, which a second worker could read half-written. */
export const atomicFs = {
  promises: {
    ...fs,
    writeFile: (path: string, content: string | Uint8Array) => writeAtomically(path, content),
  },
};
