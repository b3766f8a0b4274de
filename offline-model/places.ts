import type { Desk, Work } from './desk.ts';

/** Pages that an instruction means, with the glob that names them; or why there are none. */
type Place = { has: (path: string) => boolean; glob: string; reason?: never } | { reason: string };

/** In a glob they would stand for other names, too. */
const IN_GLOBS = /[*?{}[\]]|[@+]\(/;

/**
 * The pages of a file or folder; of the whole docs without a name. `docs/en`, `en`, `/en` and `en/`
 * are the folder `docs/en`, and `install`, `/install` and `docs/install.md` the page. If both a page
 * and a folder have the name, it is neither, and the answer asks which.
 */
export function* findPlace(desk: Desk, name = ''): Work<Place> {
  if (cleanName(name) === '') return { has: () => true, glob: desk.glob('') };
  const pages = yield* desk.pages();
  const names = namesOf(desk, name);
  const files = /\/\s*$/.test(name) ? [] : pages.filter(path => names.some(isNameOf(path)));
  const folders = names.filter(one => pages.some(path => path.startsWith(`${one}/`)));
  const all = [...files, ...folders.map(one => `the folder ${one}/`)];
  const [found = ''] = [...files, ...folders];
  if (all.length > 1) return { reason: severalOf(name, all) };
  if (found === '') return { reason: `There is no page or folder “${name}”.` };
  // A glob may count from the docs folder, too.
  if (
    IN_GLOBS.test(found) ||
    pages.some(path => path.startsWith(`${desk.turn.docsFolder}/${found}`))
  )
    return { reason: `I cannot name ${found} to the tool that changes many pages.` };
  // The slash keeps a glob of one name from matching it in every folder.
  if (files.length > 0) return { has: path => path === found, glob: `{${found},/}` };
  return { has: path => path.startsWith(`${found}/`), glob: desk.glob(found) };
}

/** The one page of that name, with its lines; or why there is none. */
export function* openPage(
  desk: Desk,
  name: string,
): Work<{ path: string; lines: string[] } | { reason: string }> {
  const names = namesOf(desk, name);
  const found = (yield* desk.pages()).filter(path => names.some(isNameOf(path)));
  const [path] = found;
  if (path === undefined) return { reason: `There is no page “${name}”.` };
  if (found.length > 1) return { reason: severalOf(name, found) };
  const lines = yield* desk.read(path);
  return lines ? { path, lines } : { reason: `${path} cannot be read as a whole.` };
}

/** A path for a new page below the docs folder, or why there can be none. */
export function newPage(desk: Desk, name: string): { path: string } | { reason: string } {
  const clean = cleanName(name);
  if (!/[^/]\.mdx?$/i.test(clean))
    return { reason: `I write pages whose names end in .md or .mdx, and “${name}” does not.` };
  const [, inDocs = clean] = namesOf(desk, name);
  return { path: clean.startsWith(`${desk.turn.docsFolder}/`) ? clean : inDocs };
}

/** What a name may stand for: a path from the repository's root, or from the docs folder. */
function namesOf({ turn: { docsFolder: root } }: Desk, name: string): string[] {
  const clean = cleanName(name);
  return root === '' ? [clean] : [clean, `${root}/${clean}`];
}

function cleanName(name: string): string {
  const path = name.trim().replace(/^(?:\.?\/)+|\/+$/g, '');
  return path === '.' ? '' : path;
}

function isNameOf(path: string): (name: string) => boolean {
  return name => path === name || path.replace(/\.mdx?$/i, '') === name;
}

function severalOf(name: string, all: string[]): string {
  return `“${name}” can be ${all.join(' or ')}. Write one of them in full.`;
}
