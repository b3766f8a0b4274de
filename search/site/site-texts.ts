import { anyKinds } from '../../sites/kinds/registry.ts';
import type { Site } from '../../sites/kinds/site-kind.ts';
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
/** Bytes of the files that are read only because pages show them. */
const LARGEST_PARTS = 16 * 1024 * 1024;
/** Characters that go to the thread in one message: each is copied at once. */
const PORTION = 1_000_000;

export type Text = [path: string, text: string];
/** `texts`: the next portion of the site's own. */
export type AskedTexts = 'texts' | { parts: string[] };

/**
 * What a site is made of: every path, and the texts that it is read from, in portions; the last one
 * is empty.
 */
export function siteTexts(
  snapshot: Snapshot,
  signal?: AbortSignal,
): { paths: string[]; next: (asked: AskedTexts) => Promise<Text[]> } {
  const files = [...snapshot.entries].filter(([path, entry]) => isSiteFile(path, entry));
  const portions = portionsOf(snapshot, files, signal);
  return {
    paths: files.map(([path]) => path),
    next: async asked =>
      asked === 'texts'
        ? ((await portions.next()).value ?? [])
        : await textsOfParts(snapshot, asked.parts),
  };
}

/** All of them, in the thread that asks for them. */
export async function receiveTexts(
  askBack: AskBack<AskedTexts, Text[]>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (;;) {
    const portion = await askBack('texts');
    if (portion.length === 0) return texts;
    for (const [path, text] of portion) texts.set(path, text);
  }
}

/** Adds the texts of files that are read only because pages show them, such as code. */
export async function receiveParts(
  askBack: AskBack<AskedTexts, Text[]>,
  { pages, shown }: Site,
  texts: Map<string, string>,
): Promise<void> {
  const all = pages.flatMap(({ file }) => shown?.page(file).parts ?? []);
  const parts = [...new Set(all)].filter(path => !texts.has(path));
  if (parts.length > 0) for (const [path, text] of await askBack({ parts })) texts.set(path, text);
}

async function textsOfParts(snapshot: Snapshot, paths: readonly string[]): Promise<Text[]> {
  const texts: Text[] = [];
  let room = LARGEST_PARTS;
  for (const path of paths) {
    const { size = Infinity } = snapshot.entries.get(path) ?? {};
    if (size > CONFIGURATION.largest || (room -= size) < 0) continue;
    texts.push([path, await textOf(snapshot, path)]);
  }
  return texts;
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
    const text = await textOf(snapshot, path);
    portion.push([path, text]);
    if ((size += text.length) < PORTION) continue;
    yield portion;
    portion = [];
    size = 0;
  }
  yield portion;
  return undefined;
}

/** Postgres takes no NUL in a text. */
async function textOf(snapshot: Snapshot, path: string): Promise<string> {
  return (await snapshot.read(path))?.toString('utf8').replaceAll('\0', '') ?? '';
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
