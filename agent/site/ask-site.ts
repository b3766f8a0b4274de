import { join } from 'node:path';
import type { WantedSite } from '../../sites/project-site.ts';
import { withLinkedFiles } from '../../search/site/linked-files.ts';
import { isReadForSite, isSiteFile } from '../../search/site/site-texts.ts';
import { ThreadFailure } from '../../shared/threads/thread.ts';
import { ThreadPool } from '../../shared/threads/thread-pool.ts';
import type { Snapshot, Workspace } from '../../shared/workspace.ts';
import type { SiteAnswers, SiteQuestion } from './site-questions.ts';
import type { AskedSite, Blob, Lacking, SiteReply } from './site-thread.ts';

/** Characters that go to the thread in one message: each is copied at once. */
const PORTION = 1_000_000;
/** Bytes of all texts of a site: files beyond them count as empty. */
const LARGEST_SITE = 192 * 1024 * 1024;

/** One thread for a process: it keeps the pages that it has read. */
const pool = new ThreadPool({
  built: 'tools-thread',
  source: join(import.meta.dirname, 'site-thread.ts'),
  ...{ most: 1, tasksPerThread: Infinity },
  // A site of 10,000 pages takes some seconds to be read for the first time.
  ...{ cpuMs: 2 * 60_000, patienceMs: 2 * 60_000, memoryMb: 1_536 },
});

/**
 * Asks about a workspace's site. Reading a site takes 100 ms for 1,000 pages, and more the first
 * time, hence the thread. Throws if it fails or takes too long.
 */
export async function askSite<Q extends SiteQuestion>(
  workspace: Workspace,
  project: WantedSite,
  question: Q,
): Promise<SiteAnswers[Q['kind']]> {
  const { snapshot } = workspace;
  const changes = await workspace.changes();
  const edits = [...changes].map(([path, bytes]): [string, string | null] => [
    path,
    bytes === null ? null : textOf(bytes),
  ]);
  const { docsFolder, kind = null, basePath = null, addresses = null } = project;
  const asked: AskedSite = {
    commit: snapshot.commit,
    edits,
    project: { docsFolder, kind, basePath, addresses },
    question,
  };
  const onAsked = async (lacking: Lacking): Promise<SiteReply> =>
    lacking === 'files'
      ? { entries: await entriesOf(snapshot), others: othersOf(snapshot) }
      : await portionOf(snapshot, lacking);
  try {
    return await pool.ask(asked, { onAsked });
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    throw new Error(
      error.reason === 'failed'
        ? `The site could not be read: ${error.message}`
        : 'Reading the site took too long.',
      { cause: error },
    );
  }
}

/** Of the first blobs, one at least. */
async function portionOf(snapshot: Snapshot, blobs: readonly Blob[]): Promise<string[]> {
  const texts: string[] = [];
  let size = 0;
  for (const [path] of blobs) {
    const bytes = await snapshot.read(path);
    const text = bytes === undefined ? '' : textOf(bytes);
    texts.push(text);
    if ((size += text.length) >= PORTION) break;
  }
  return texts;
}

/** What is behind a symbolic link is there, and is edited where it lies: its text is not read. */
async function entriesOf(snapshot: Snapshot): Promise<[string, string | null][]> {
  let room = LARGEST_SITE;
  const result: [string, string | null][] = [];
  for (const [path, entry] of (await withLinkedFiles(snapshot)).entries) {
    if (!isSiteFile(path, entry)) continue;
    const isOwn = snapshot.entries.get(path) === entry;
    const isRead = isOwn && isReadForSite(path, entry) && (room -= entry.size) >= 0;
    result.push([path, isRead ? entry.id : null]);
  }
  return result;
}

function othersOf({ entries }: Snapshot): string[] {
  return [...entries].flatMap(([path, entry]) => (isSiteFile(path, entry) ? [] : [path]));
}

function textOf(bytes: Buffer): string {
  return bytes.includes(0) ? '' : bytes.toString('utf8');
}
