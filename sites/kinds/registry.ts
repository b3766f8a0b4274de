import { withApiPages } from '../openapi/api-pages.ts';
import { isAsidePath } from './aside.ts';
import { docsJson } from './docs-json/docs-json.ts';
import { folder } from './folder/folder.ts';
import { sphinx } from './sphinx/sphinx.ts';
import { withHostRedirects } from './host-redirects.ts';
import { hugo } from './hugo/hugo.ts';
import { docusaurus } from './docusaurus/docusaurus.ts';
import { mkdocs } from './mkdocs/mkdocs.ts';
import { starlight } from './starlight/starlight.ts';
import { vitepress } from './vitepress/vitepress.ts';
import { mdbook } from './mdbook/mdbook.ts';
import type { SiteKind } from './kind.ts';
import { folderOf } from './paths.ts';
import type { Site, SitePlace, SiteSource } from './site-kind.ts';

/** A new kind is one folder and one line here. */
const DEFINITIONS = [
  docsJson,
  docusaurus,
  mkdocs,
  starlight,
  vitepress,
  mdbook,
  hugo,
  sphinx,
  folder,
] as const;

/** The generators whose sites are understood; `folder` is a tree of Markdown files without one. */
export type SiteKindName = (typeof DEFINITIONS)[number]['name'];

export type KnownKind = SiteKind<SiteKindName>;

export const KINDS: readonly KnownKind[] = DEFINITIONS;
export const SITE_KINDS: readonly SiteKindName[] = KINDS.map(({ name }) => name);
/** The kind of what no generator builds. */
export const FALLBACK: KnownKind = folder;

/** Where a kind was found. */
export interface FoundSite extends SitePlace {
  kind: SiteKindName;
}

/** A site with the name of its kind. */
export interface KnownSite extends Site {
  kind: SiteKindName;
}

/** One pattern for what several kinds have one of, and for `others`; in any case of letters. */
export function anyKinds(
  patternOf: (kind: KnownKind) => RegExp | undefined,
  ...others: RegExp[]
): RegExp {
  const all = [...others, ...KINDS.flatMap(kind => patternOf(kind) ?? [])];
  return new RegExp(all.map(({ source }) => source).join('|'), 'i');
}

/** Every site of a repository, the most likely one first. */
export function findSites(source: SiteSource): FoundSite[] {
  const found = KINDS.flatMap(kind =>
    placesOf(kind, source).map(place => ({ kind: kind.name, ...place })),
  );
  const rank = (site: FoundSite): number[] => [
    site.kind === FALLBACK.name ? 1 : 0,
    isAside(site) ? 1 : 0,
    site.root === '' ? 0 : site.root.split('/').length,
    /(?:^|\/)(?:docs?|website|site|book|documentation)(?:\/|$)/i.test(site.root) ? 0 : 1,
    SITE_KINDS.indexOf(site.kind),
  ];
  return found.toSorted((a, b) => compare(rank(a), rank(b)));
}

function placesOf(kind: KnownKind, source: SiteSource): SitePlace[] {
  const { marker: pattern, rootOf = folderOf } = kind;
  if (!pattern) return kind.find?.(source) ?? [];
  return source.paths
    .filter(path => pattern.test(path) && (kind.isMarker?.(source, path) ?? true))
    .map(marker => ({ root: rootOf(marker), marker }));
}

/** Whether a site looks like an example or a test of the repository. */
export function isAside(site: SitePlace): boolean {
  return isAsidePath(site.marker);
}

/** Reads the site that was found, or the most likely one. */
export function readSite(
  source: SiteSource,
  found: FoundSite | undefined = findSites(source)[0],
): KnownSite | undefined {
  if (!found) return undefined;
  const kind = siteKind(found.kind);
  return withApiReferences(source, kind, { kind: kind.name, ...kind.read(source, found) });
}

/** The site with the pages of the API descriptions that it names. */
export function withApiReferences(source: SiteSource, kind: KnownKind, site: KnownSite): KnownSite {
  const whole = withHostRedirects(source, site);
  return withApiPages(source, whole, kind.apiReferences?.(source, whole) ?? []);
}

/** Throws if there is no such kind. */
export function siteKind(name: SiteKindName): KnownKind {
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
