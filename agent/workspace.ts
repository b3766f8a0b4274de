import { createHash } from 'node:crypto';
import type { FileMode, Snapshot, Workspace } from '../shared/workspace.ts';

/**
 * A workspace over `snapshot` with the job's edits so far: path to bytes, or null where deleted.
 * The map is copied; `changes()` is the difference to the snapshot.
 */
export function openWorkspace(
  snapshot: Snapshot,
  edits: ReadonlyMap<string, Buffer | null>,
): Workspace {
  const overlay = new Map(edits);
  let paths: string[] | undefined;

  const has = (path: string): boolean => {
    const edit = overlay.get(path);
    return edit === undefined ? snapshot.entries.has(path) : edit !== null;
  };
  const read = async (path: string): Promise<Buffer | undefined> => {
    const edit = overlay.get(path);
    return edit === undefined ? snapshot.read(path) : (edit ?? undefined);
  };
  const put = (path: string, content: Buffer | null): void => {
    if (has(path) !== (content !== null)) paths = undefined;
    overlay.set(path, content);
  };

  return {
    snapshot,
    has,
    read,
    list() {
      paths ??= [...new Set([...snapshot.entries.keys(), ...overlay.keys()])].filter(has).sort();
      return paths;
    },
    entry(path) {
      if (!has(path)) return undefined;
      const mode: FileMode = snapshot.entries.get(path)?.mode ?? '100644';
      return { mode };
    },
    async readText(path) {
      return (await read(path))?.toString('utf8');
    },
    write(path, content) {
      put(path, typeof content === 'string' ? Buffer.from(content, 'utf8') : content);
    },
    remove(path) {
      put(path, null);
    },
    changes: async () => changesOf(overlay, snapshot),
  };
}

function changesOf(
  overlay: ReadonlyMap<string, Buffer | null>,
  { entries }: Snapshot,
): Map<string, Buffer | null> {
  const changed = new Map<string, Buffer | null>();
  for (const path of [...overlay.keys()].sort()) {
    const content = overlay.get(path) ?? null;
    const base = entries.get(path)?.id;
    const unchanged = content === null ? base === undefined : base === blobId(content, base);
    if (!unchanged) changed.set(path, content);
  }
  return changed;
}

/**
 * Git's id of a blob, in the hash of `like` if an id is given (SHA-256 repositories have 64
 * digits).
 */
export function blobId(content: Buffer, like?: string): string {
  return createHash(like?.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex');
}
