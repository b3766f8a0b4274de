import { anyKinds } from '../../sites/kinds/registry.ts';
import type { AskBack } from '../../shared/threads/serve-thread.ts';
import type { Snapshot, TreeEntry } from '../../shared/workspace.ts';

/** Pages, partials, and what only the navigation is read of. Larger files are data, not pages. */
const TEXTS = {
  names: anyKinds(({ texts }) => texts, /\.(?:mdx?|markdown|mdoc)$/),
  largest: 2 * 1024 * 1024,
};
/** Whatever a kind may be configured by. */
const CONFIGURATION = {
  names: anyKinds(({ settings }) => settings, /\.(?:json|ya?ml|toml|[cm]?[jt]s)$/),
  largest: 512 * 1024,
};
/** Descriptions of APIs are long. */
const API_DESCRIPTIONS = {
  names: /(?:openapi|swagger|api|spec|schema)[^/]*\.(?:json|ya?ml)$/i,
  largest: 4 * 1024 * 1024,
};
/** Folders that hold no docs and many files. */
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|\.venv|__pycache__)\//;
/** Bytes of all texts: files beyond them count as empty. */
const LARGEST_SITE = 192 * 1024 * 1024;
/** Characters that go to the thread in one message: each is copied at once. */
const PORTION = 1_000_000;

export type Text = [path: string, text: string];

/**
 * What a site is made of: every path, and the texts that it is read from, in portions; the last one
 * is empty.
 */
export function siteTexts(
  snapshot: Snapshot,
  signal?: AbortSignal,
): { paths: string[]; next: () => Promise<Text[]> } {
  const files = [...snapshot.entries].filter(([path, entry]) => isSiteFile(path, entry));
  const portions = portionsOf(snapshot, files, signal);
  return {
    paths: files.map(([path]) => path),
    next: async () => (await portions.next()).value ?? [],
  };
}

/** All of them, in the thread that asks for them. */
export async function receiveTexts(
  askBack: AskBack<'texts', Text[]>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (;;) {
    const portion = await askBack('texts');
    if (portion.length === 0) return texts;
    for (const [path, text] of portion) texts.set(path, text);
  }
}

async function* portionsOf(
  snapshot: Snapshot,
  files: readonly (readonly [string, TreeEntry])[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Text[], undefined> {
  let portion: Text[] = [];
  let size = 0;
  let room = LARGEST_SITE;
  for (const [path, entry] of files) {
    if (!isReadForSite(path, entry) || (room -= entry.size) < 0) continue;
    signal?.throwIfAborted();
    // Postgres takes no NUL in a text.
    const bytes = await snapshot.read(path);
    const text = bytes?.toString('utf8').replaceAll('\0', '') ?? '';
    portion.push([path, text]);
    if ((size += text.length) < PORTION) continue;
    yield portion;
    portion = [];
    size = 0;
  }
  yield portion;
  return undefined;
}

/** Whether a site can be made of this file: links, submodules and packages are not part of it. */
export function isSiteFile(path: string, { mode, size }: TreeEntry): boolean {
  if ((mode !== '100644' && mode !== '100755') || SKIPPED.test(path)) return false;
  return !(TEXTS.names.test(path) && size > TEXTS.largest);
}

/** Whether the text of a file is needed, and not only that it exists. */
export function isReadForSite(path: string, { size }: TreeEntry): boolean {
  return [TEXTS, CONFIGURATION, API_DESCRIPTIONS].some(
    ({ names, largest }) => size <= largest && names.test(path),
  );
}
