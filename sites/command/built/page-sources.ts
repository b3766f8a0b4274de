import { folderOf, nameOf } from '../../kinds/paths.ts';
import type { KnownSite } from '../../kinds/registry.ts';
import type { SiteSource } from '../../kinds/site-kind.ts';
import type { BuiltSite } from './built-site.ts';
import { tailOf } from './source-places.ts';

/** Files that generators make pages of. */
const PAGE = /\.(?:mdx?|mdoc|markdown|rst|adoc|asciidoc|qmd|ipynb|org|textile)$/i;

/**
 * The source file of each built page: by the site's rules where they fit, else by the likeness of
 * paths. A page that the build made of nothing has none.
 */
export function pageSources(
  source: SiteSource,
  site: KnownSite | undefined,
  built: BuiltSite,
): Map<string, string> {
  const files = new Map<string, string>();
  for (const page of site?.pages ?? []) {
    const found = built.at(page.url);
    if (typeof found === 'object' && !files.has(found.page)) files.set(found.page, page.file);
  }
  const byTail = new Map<string, string[]>();
  for (const path of source.paths) {
    if (!PAGE.test(path)) continue;
    const tail = tailOf(path);
    const known = byTail.get(tail);
    if (known) known.push(path);
    else byTail.set(tail, [path]);
  }
  for (const address of built.pages.keys()) {
    if (files.has(address)) continue;
    const file = mostLike(address, byTail.get(tailOf(address)) ?? []);
    if (file !== undefined) files.set(address, file);
  }
  return files;
}

/** The file that shares most folders with an address, from the end; the shortest of several. */
function mostLike(address: string, files: readonly string[]): string | undefined {
  const wanted = partsOf(address);
  const scored = files.map(file => {
    const parts = partsOf(file);
    const shared = parts.findIndex((part, index) => part !== wanted[index]);
    return { file, shared: shared < 0 ? parts.length : shared, length: parts.length };
  });
  return scored.toSorted((a, b) => b.shared - a.shared || a.length - b.length)[0]?.file;
}

/** `/guide/install/` and `docs/guide/install.md`: `install`, `guide`, …; the last one first. */
function partsOf(path: string): string[] {
  const name = nameOf(path).replace(/\.\w+$/, '');
  const own = /^(?:_?index|readme)?$/i.test(name) ? [] : [name];
  return [...folderOf(path).split('/'), ...own]
    .filter(part => part !== '')
    .map(part => part.toLowerCase().replace(/^\d+[-_.]\s*(?=\D)/, ''))
    .toReversed();
}
