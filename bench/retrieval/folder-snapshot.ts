import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderSource } from '../../sites/command/folder-source.ts';
import type { Snapshot, TreeEntry } from '../../shared/workspace.ts';

/** A folder on disk as if it were a commit. */
export function folderSnapshot(folder: string): Snapshot {
  const entries = new Map<string, TreeEntry>();
  for (const path of folderSource(folder).paths) {
    const file = join(folder, path);
    const id = createHash('sha1').update(readFileSync(file)).digest('hex');
    entries.set(path, { id, mode: '100644', size: statSync(file).size });
  }
  return {
    commit: 'folder',
    entries,
    read: async path => (entries.has(path) ? await readFile(join(folder, path)) : undefined),
  };
}
