import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file so that a reader, also of another process, sees all of it or nothing.
 * Two writers of one path must be writing the same thing, or either may win.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fs.writeFile(temporary, content);
      return await fs.rename(temporary, path);
    } catch (error) {
      await fs.rm(temporary, { force: true }).catch(() => undefined); // a full disk stays full otherwise
      // The folder is new, or its repository was trimmed between these two.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error;
      await fs.mkdir(dirname(path), { recursive: true });
    }
  }
}

/**
 * What isomorphic-git needs of a file system. It writes packs and indexes in place, which a second
 * worker could read half-written.
 */
export const atomicFs = {
  promises: {
    ...fs,
    writeFile: (path: string, content: string | Uint8Array) => writeAtomically(path, content),
  },
};
