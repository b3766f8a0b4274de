import { MAX_FILE_BYTES } from '../../policy/violation.ts';
import type { Workspace } from '../../../shared/workspace.ts';
import type { ToolContext } from '../tool.ts';
import type { AskThread } from './match-pool.ts';
import { type SharedText, SharedTexts, shareTexts } from './shared-texts.ts';

/** Texts for one question, in the order of their paths. */
export interface TextBatch {
  paths: string[];
  texts: SharedText[];
}

/** A question takes a thread some milliseconds per megabyte. */
const BATCH_BYTES = 1_000_000;
/** What a file counts as whose size is not known before it is fetched. */
const USUAL_BYTES = 16_000;
/** At least: small files are work, too. */
const LEAST_BYTES = 1_000;
/** In all: 10,000 pages have 80 MB. */
const MOST_BYTES = 100_000_000;

/** For all jobs of this process: what a blob is never changes. */
const known = new SharedTexts(MOST_BYTES);

/**
 * The texts of files, in one batch at least; binaries and files over 1 MiB are left out. The thread
 * reads what is not known yet. Throws on abort.
 */
export async function* textBatches(
  paths: readonly string[],
  { workspace, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
  ask: AskThread,
): AsyncGenerator<TextBatch> {
  const edits = await workspace.changes();
  const weightOf = (path: string): number => {
    const size = edits.get(path)?.length ?? workspace.snapshot.entries.get(path)?.size;
    return Math.max(LEAST_BYTES, size || USUAL_BYTES);
  };
  let next = 0;
  do {
    signal.throwIfAborted();
    const start = next;
    for (let bytes = 0; next < paths.length && bytes < BATCH_BYTES; next += 1)
      bytes += weightOf(paths[next] ?? '');
    const some = paths.slice(start, next);
    const batch: TextBatch = { paths: [], texts: [] };
    for (const [i, text] of (await textsOf(some, workspace, edits, ask)).entries()) {
      if (!text) continue;
      batch.paths.push(some[i] ?? '');
      batch.texts.push(text);
    }
    yield batch;
  } while (next < paths.length);
}

/**
 * The texts in the order of their paths, null for one that is not text: those that are known, those
 * that the thread reads from this machine's disk, then edits and what has to be fetched.
 */
async function textsOf(
  paths: readonly string[],
  workspace: Workspace,
  edits: ReadonlyMap<string, Buffer | null>,
  ask: AskThread,
): Promise<(SharedText | null)[]> {
  const { snapshot } = workspace;
  const found = new Map<string, SharedText | null>();
  const entryOf = (path: string) => (edits.has(path) ? undefined : snapshot.entries.get(path));
  for (const path of paths) {
    const entry = entryOf(path);
    const text = entry && (entry.size > MAX_FILE_BYTES ? null : known.find(entry.id));
    if (text !== undefined) found.set(path, text);
  }
  const lacking = () => paths.filter(path => !found.has(path));
  const take = (read: readonly string[], texts: readonly (SharedText | null | undefined)[]) => {
    const blobs: [id: string, text: SharedText | null][] = [];
    for (const [i, path] of read.entries()) {
      const [text, entry] = [texts[i], entryOf(path)];
      if (text !== undefined) found.set(path, text);
      if (text !== undefined && entry) blobs.push([entry.id, text]);
    }
    if (blobs.length > 0) known.keep(blobs);
  };
  const onDisk = lacking().filter(path => entryOf(path) && snapshot.fileOf?.(path) !== undefined);
  if (onDisk.length > 0) {
    const files = onDisk.map(path => snapshot.fileOf?.(path) ?? '');
    take(onDisk, await ask({ kind: 'read', files }));
  }
  const others = lacking();
  if (others.length > 0)
    take(others, shareTexts(await Promise.all(others.map(path => workspace.read(path)))));
  return paths.map(path => found.get(path) ?? null);
}
