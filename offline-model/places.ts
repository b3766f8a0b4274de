import type { Desk, Work } from './desk.ts';

/** Pages that an instruction means, or the sentence that says why there are none. */
export type Place = { paths: string[]; reason?: never } | { paths?: never; reason: string };

/**
 * The pages of a file or folder. `docs/en`, `en`, `/en` and `en/` are the folder `docs/en`, and
 * `install`, `/install` and `docs/install.md` the page. If both a page and a folder have the name, it
 * is neither, and the answer asks which.
 */
export function* findPlace(desk: Desk, name: string): Work<Place> {
  const pages = yield* desk.pages();
  const clean = cleanName(name);
  const asFolder = /\/\s*$/.test(name);
  const names = [...new Set([clean, inDocs(desk, clean)])].filter(one => one !== '');
  const files = asFolder ? [] : pages.filter(path => names.some(one => isPage(path, one)));
  const folders = names.filter(one => pages.some(path => path.startsWith(`${one}/`)));
  if (clean === '') return { paths: pages };
  const both = [...files, ...folders.map(one => `the folder ${one}/`)];
  if (both.length > 1)
    return { reason: `“${name}” can be ${both.join(' or ')}. Write one of them in full.` };
  const [folder] = folders;
  if (folder !== undefined) return { paths: pages.filter(path => path.startsWith(`${folder}/`)) };
  return files.length > 0 ? { paths: files } : { reason: `There is no page or folder “${name}”.` };
}

/** The one page of that name. */
export function* findPage(desk: Desk, name: string): Work<{ path: string } | { reason: string }> {
  const pages = yield* desk.pages();
  const clean = cleanName(name);
  const found = pages.filter(path => [clean, inDocs(desk, clean)].some(one => isPage(path, one)));
  if (found.length > 1)
    return { reason: `“${name}” can be ${found.join(' or ')}. Write one of them in full.` };
  const [path] = found;
  return path === undefined ? { reason: `There is no page “${name}”.` } : { path };
}

/** A path for a new page below the docs folder, or why there can be none. */
export function newPage(desk: Desk, name: string): { path: string } | { reason: string } {
  const clean = cleanName(name);
  if (!/[^/]\.mdx?$/i.test(clean))
    return {
      reason: `I write pages whose names end in .md or .mdx, and “${name}” does not.`,
    };
  return { path: clean.startsWith(`${desk.root}/`) ? clean : inDocs(desk, clean) };
}

function inDocs(desk: Desk, name: string): string {
  return desk.root === '' ? name : `${desk.root}/${name}`;
}

function cleanName(name: string): string {
  return name
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
}

function isPage(path: string, name: string): boolean {
  return path === name || path.replace(/\.mdx?$/i, '') === name;
}
