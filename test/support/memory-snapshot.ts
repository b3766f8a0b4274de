import { blobId } from '../../agent/workspace.ts';
import type { FileMode, Snapshot, TreeEntry } from '../../shared/workspace.ts';

/**
 * A snapshot made of the given files, for tests and benches; `modes` names those that are no plain
 * files.
 */
export function memorySnapshot(
  files: Record<string, string | Buffer>,
  modes: Record<string, FileMode> = {},
): Snapshot {
  const contents = new Map<string, Buffer>();
  const entries = new Map<string, TreeEntry>();
  for (const path of Object.keys(files).sort()) {
    const content = Buffer.from(files[path] ?? '');
    contents.set(path, content);
    entries.set(path, { id: blobId(content), mode: modes[path] ?? '100644', size: content.length });
  }
  const commit = blobId(
    Buffer.from([...entries].map(([path, entry]) => `${entry.id} ${path}`).join('\n')),
  );
  return { commit, entries, read: async path => contents.get(path) };
}
