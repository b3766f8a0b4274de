import { Worker } from 'node:worker_threads';
import type { Snapshot, TreeEntry } from '../workspace.ts';
import type { PublishedSite, WantedSite } from './published-site.ts';
import type { SiteMessage } from './site-thread.ts';

/** Pages, partials, and what only the navigation is read of. */
const TEXTS = { names: /\.(?:mdx?|markdown|mdoc|rst)$/i, largest: 2 * 1024 * 1024 };
/** Whatever a kind may be configured by. */
const CONFIGURATION = {
  names: new RegExp(
    '(?:\\.(?:json|ya?ml|toml|[cm]?[jt]s)|' +
      '(?:^|/)(?:conf\\.py|_redirects|redirects\\.txt|\\.pages|\\.mintignore))$',
    'i',
  ),
  largest: 512 * 1024,
};
/** Folders that hold no docs and many files. */
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|\.venv|__pycache__)\//;
/** Bytes of all texts: files beyond them count as empty. */
const LARGEST_SITE = 192 * 1024 * 1024;
/** Characters that go to the thread in one message: each is copied at once. */
const PORTION = 1_000_000;
/** A site of 10,000 pages takes some seconds. */
const TIMEOUT_MS = 5 * 60_000;
const MOST_MEMORY_MB = 1_536;

/** Where one of these files is, a generator builds the site; others need no reading. */
const MARKERS = new RegExp(
  '(?:^|/)(?:docusaurus\\.config\\.[cm]?[jt]s|astro\\.config\\.[cm]?[jt]s|' +
    'mkdocs\\.ya?ml|book\\.toml|conf\\.py|(?:hugo|config)\\.(?:toml|ya?ml|json)|' +
    '\\.vitepress/.*|config/_default/.*)$',
);

export function mayHaveGenerator(paths: Iterable<string>): boolean {
  for (const path of paths) if (MARKERS.test(path)) return true;
  return false;
}

/**
 * Reads a snapshot's site as its generator publishes it; undefined if there is none. The rules of a
 * kind run in a thread of their own: they need whole texts at hand, take seconds on a large site,
 * and the process must keep answering meanwhile. Throws if the thread fails or takes too long.
 */
export async function readPublishedSite(
  snapshot: Pick<Snapshot, 'entries' | 'read'>,
  wanted: WantedSite,
  signal?: AbortSignal,
): Promise<PublishedSite | undefined> {
  const worker = new Worker(new URL('./site-worker.mjs', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const timeout = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
  try {
    const answer = answerOf(worker);
    await Promise.race([answer, sendSite(worker, snapshot, wanted, signal)]);
    return await answer;
  } finally {
    clearTimeout(timeout);
    await worker.terminate();
  }
}

function answerOf(worker: Worker): Promise<PublishedSite | undefined> {
  const answer = new Promise<PublishedSite | undefined>((resolve, reject) => {
    worker.once('message', ({ site }: { site?: PublishedSite }) => resolve(site));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('Reading the site took too long.')));
  });
  // Its failure is met where it is awaited, which may be after texts were read.
  answer.catch(() => undefined);
  return answer;
}

async function sendSite(
  worker: Worker,
  snapshot: Pick<Snapshot, 'entries' | 'read'>,
  wanted: WantedSite,
  signal: AbortSignal | undefined,
): Promise<void> {
  const post = (message: SiteMessage) => worker.postMessage(message);
  const paths: string[] = [];
  let portion: [string, string][] = [];
  let size = 0;
  let room = LARGEST_SITE;
  for (const [path, entry] of snapshot.entries) {
    if (!isSiteFile(path, entry)) continue;
    paths.push(path);
    if (!isReadForSite(path, entry) || (room -= entry.size) < 0) continue;
    signal?.throwIfAborted();
    // Postgres takes no NUL in a text.
    const text = (await snapshot.read(path))?.toString('utf8').replaceAll('\0', '') ?? '';
    portion.push([path, text]);
    if ((size += text.length) < PORTION) continue;
    post({ texts: portion });
    portion = [];
    size = 0;
  }
  post({ texts: portion });
  post({ paths, wanted });
}

/** Whether a site can be made of this file: links, submodules and packages are none of it. */
export function isSiteFile(path: string, { mode }: TreeEntry): boolean {
  return (mode === '100644' || mode === '100755') && !SKIPPED.test(path);
}

/** Whether the text of a file is needed, and not only that it exists. */
export function isReadForSite(path: string, { size }: TreeEntry): boolean {
  return [TEXTS, CONFIGURATION].some(({ names, largest }) => size <= largest && names.test(path));
}
