import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Snapshot, TreeEntry } from '../../shared/workspace.ts';

/** The top of the installation. */
const TOP = join(import.meta.dirname, '..', '..');
const FOLDER = 'docs';

/** The docs of Docent itself, as this installation has them. */
export async function ownDocs(): Promise<Snapshot> {
  const entries = new Map<string, TreeEntry>();
  const names = await readdir(join(TOP, FOLDER), { recursive: true, withFileTypes: true });
  for (const name of names.filter(each => each.isFile())) {
    const file = join(name.parentPath, name.name);
    const path = relative(TOP, file).split(sep).join('/');
    const { size, mtimeMs } = await stat(file);
    entries.set(path, { id: hashOf(`${path} ${size} ${mtimeMs}`), mode: '100644', size });
  }
  return {
    commit: hashOf(
      [...entries.values()]
        .map(entry => entry.id)
        .toSorted()
        .join(' '),
    ),
    entries,
    read: async path => (entries.has(path) ? await readFile(join(TOP, path)) : undefined),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}
