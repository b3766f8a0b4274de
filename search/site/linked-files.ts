import { linkedPaths } from '../../sites/linked-paths.ts';
import type { Snapshot } from '../../shared/workspace.ts';

/** A path is not longer. */
const LONGEST_TARGET = 1_024;

/** The snapshot with the files that its symbolic links lead to, as a generator reads them. */
export async function withLinkedFiles(snapshot: Snapshot): Promise<Snapshot> {
  const links = new Map<string, string>();
  const paths: string[] = [];
  for (const [path, { mode, size }] of snapshot.entries) {
    if (mode === '120000' && size <= LONGEST_TARGET)
      links.set(path, (await snapshot.read(path))?.toString('utf8') ?? '/');
    else if (mode.startsWith('100')) paths.push(path);
  }
  const linked = linkedPaths(paths, links);
  if (linked.size === 0) return snapshot;
  const entries = new Map(snapshot.entries);
  for (const [path, real] of linked) {
    const entry = snapshot.entries.get(real);
    if (entry) entries.set(path, entry);
  }
  return {
    commit: snapshot.commit,
    entries,
    read: path => snapshot.read(linked.get(path) ?? path),
    ...(snapshot.fileOf && { fileOf: path => snapshot.fileOf?.(linked.get(path) ?? path) }),
  };
}
