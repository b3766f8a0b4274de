import { withApiPages } from '../openapi/api-pages.ts';
import { isAsidePath } from './aside.ts';
import { docsJson } from './docs-json/docs-json.ts';
import { folder } from './folder/folder.ts';
import { sphinx } from './sphinx/sphinx.ts';
import { hugo } from './hugo/hugo.ts';
import { docusaurus } from './docusaurus/docusaurus.ts';
import { mkdocs } from './mkdocs/mkdocs.ts';
import { starlight } from './starlight/starlight.ts';
import { vitepress } from './vitepress/vitepress.ts';
import { mdbook } from './mdbook/mdbook.ts';
import type { SiteKind } from './kind.ts';
import type { FoundSite, Site, SiteKindName, SiteSource } from './site-kind.ts';

/** A new kind is one folder and one line here. */
export const KINDS: readonly SiteKind[] = [
  docsJson,
  docusaurus,
  mkdocs,
  starlight,
  vitepress,
  mdbook,
  hugo,
  sphinx,
  folder,
];

/** Every site of a repository, the most likely one first. */
export function findSites(source: SiteSource): FoundSite[] {
  const found = KINDS.flatMap(kind => kind.find(source));
  const rank = (site: FoundSite): number[] => [
    // A plain folder is what is left where no generator is found.
    site.kind === 'folder' ? 1 : 0,
    isAside(site) ? 1 : 0,
    site.root === '' ? 0 : site.root.split('/').length,
    /(?:^|\/)(?:docs?|website|site|book|documentation)(?:\/|$)/i.test(site.root) ? 0 : 1,
    KINDS.findIndex(kind => kind.name === site.kind),
  ];
  return found.toSorted((a, b) => compare(rank(a), rank(b)));
}

/** Whether a site looks like an example or a test of the repository. */
export function isAside(site: FoundSite): boolean {
  return isAsidePath(site.marker);
}

/** Reads the site that was found, or the most likely one. */
export function readSite(source: SiteSource, found = findSites(source)[0]): Site | undefined {
  return found && withApiPages(source, siteKind(found.kind).read(source, found));
}

/** Throws if there is no such kind. */
export function siteKind(name: SiteKindName): SiteKind {
  const kind = KINDS.find(one => one.name === name);
  if (!kind) throw new Error(`no site kind ${name}`);
  return kind;
}

export function kindTitle(name: SiteKindName): string {
  return siteKind(name).title;
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
