import { jsonText } from '../db/json.ts';
import { findSites, isAside, readSite } from '../site/kinds/registry.ts';
import { withBase } from '../site/kinds/paths.ts';
import { navigationFile } from '../site/navigation.ts';
import type { FoundSite, Site, SitePage, SiteSource } from '../site/kinds/site-kind.ts';
import { publishedHeadings } from './page-headings.ts';
import type { PublishedPage, SiteFacts, WantedSite } from './published-site.ts';
import { indexedPages } from './indexed-pages.ts';
import { defaultLanguage, isOld, oldVersions, translations } from './translations.ts';
import { unreadPages } from './unread-pages.ts';

const MOST_UNREAD = 20;
const MOST_CONFIG_FILES = 10;
const MOST_EXAMPLES = 3;

export interface DescribedSite {
  facts: SiteFacts;
  /** Outlines every page of a generator's site, which takes about 1 ms for 8 KB. */
  pages(): PublishedPage[];
}

/** The site that is wanted, as its generator publishes it. */
export function describeSite(source: SiteSource, wanted: WantedSite): DescribedSite {
  const site = wantedSite(source, wanted);
  const pages = inOrder(site, indexedPages(site, source, wanted.docsFolder));
  return {
    facts: storable(factsOf(site, pages, source, wanted)),
    pages: () => storable([...publishedPages(site, pages), ...publishedApiPages(site)]),
  };
}

/** A site's configuration may name anything: without the characters that Postgres refuses. */
function storable<T>(value: T): T {
  return JSON.parse(jsonText(value)) as T;
}

/** The site that is wanted, or the most likely one. */
export function wantedSite(source: SiteSource, { kind, docsFolder, basePath }: WantedSite): Site {
  const site =
    plainSite(source, kind, docsFolder) ??
    generatedSite(source, kind, docsFolder) ??
    folderSite(source, docsFolder ?? '');
  return basePath == null ? site : withBasePath(site, basePath);
}

/** Where docs.json is the navigation, or a plain folder is wanted, no generator is looked for. */
function plainSite(
  source: SiteSource,
  kind: WantedSite['kind'],
  folder: string | undefined,
): Site | undefined {
  if (folder === undefined || (kind && kind !== 'docs.json' && kind !== 'folder')) return undefined;
  if (kind === 'folder') return folderSite(source, folder);
  const marker = navigationFile(path => source.has(path), folder);
  if (marker === undefined) return undefined;
  return readSite(source, { kind: 'docs.json', root: folder, marker });
}

function folderSite(source: SiteSource, root: string): Site {
  const found: FoundSite = { kind: 'folder', root, marker: root };
  return readSite(source, found)!;
}

function generatedSite(
  source: SiteSource,
  kind: WantedSite['kind'],
  docsFolder: string | undefined,
): Site | undefined {
  for (const found of findSites(source)) {
    if (kind && found.kind !== kind) continue;
    if (!kind && !docsFolder && isAside(found)) continue;
    // A plain folder is the one that is wanted, wherever one would be guessed.
    if (found.kind === 'folder' && docsFolder !== undefined) continue;
    const site = readSite(source, found);
    if (site && (docsFolder === undefined || isAround(site, docsFolder))) return site;
  }
  return undefined;
}

/** Whether the site's pages are those of the folder: it contains them, or is a part of them. */
function isAround(site: Site, folder: string): boolean {
  return isWithin(site.docsFolder, folder) || isWithin(folder, site.docsFolder);
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The site with another base path than its configuration says. */
function withBasePath(site: Site, basePath: string): Site {
  const prefix = site.basePath === '/' ? '' : site.basePath;
  const moved = (url: string) =>
    url.startsWith(prefix) ? withBase(basePath, url.slice(prefix.length) || '/') : url;
  return { ...site, basePath, pages: site.pages.map(page => ({ ...page, url: moved(page.url) })) };
}

/** As readers meet them: the navigation's order, then what it leaves out; old versions last. */
function inOrder(site: Site, pages: readonly SitePage[]): SitePage[] {
  const places = new Map<string, number>();
  for (const [place, { file, path }] of site.navigation.entries())
    for (const name of [file, path])
      if (name !== undefined && !places.has(name)) places.set(name, place);
  const language = defaultLanguage(pages);
  const old = oldVersions(pages);
  const rank = (page: SitePage): number[] => [
    isOld(old, page) ? 1 : 0,
    page.language === null || language === null || page.language === language ? 0 : 1,
    page.path === '/' ? 0 : 1,
    places.get(page.file) ?? places.get(page.path) ?? places.size,
  ];
  return pages
    .map(page => ({ page, rank: rank(page) }))
    .toSorted((a, b) => compare(a.rank, b.rank) || (a.page.path < b.page.path ? -1 : 1))
    .map(({ page }) => page);
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function publishedPages(site: Site, pages: readonly SitePage[]): PublishedPage[] {
  const inOther = translations(pages);
  const old = oldVersions(pages);
  const isPlain = site.kind === 'docs.json' || site.kind === 'folder';
  return pages.map(page => ({
    file: page.file,
    path: page.path,
    url: page.url,
    language: page.language,
    version: page.version,
    oldVersion: isOld(old, page),
    translations: inOther.get(page) ?? [],
    title: isPlain ? null : page.title,
    crumbs: page.crumbs,
    boost: page.boost ?? null,
    headings: isPlain ? null : publishedHeadings(site, site.outline(page.file)),
    apiText: site.apiTexts?.get(page.file) ?? null,
    isGenerated: false,
  }));
}

function publishedApiPages(site: Site): PublishedPage[] {
  return (site.apiPages ?? []).map(({ file, path, url, title, crumbs, text, ...place }) => ({
    file,
    path,
    url,
    language: place.language,
    version: place.version,
    oldVersion: false,
    translations: [],
    title,
    crumbs,
    boost: null,
    // Their ids are the renderer's.
    headings: [],
    apiText: text,
    isGenerated: true,
  }));
}

function factsOf(
  site: Site,
  pages: readonly SitePage[],
  source: SiteSource,
  { kind, docsFolder }: WantedSite,
): SiteFacts {
  return {
    kind: site.kind,
    docsFolder: site.docsFolder,
    basePath: site.basePath,
    address: site.address,
    addressRule: site.addressRule,
    configFiles: site.configFiles.slice(0, MOST_CONFIG_FILES),
    pages: pages.length + (site.apiPages?.length ?? 0),
    apiPages: site.apiPages?.length ?? 0,
    leftOut: site.pages.length - pages.length,
    navigation: site.isListedByFolder ? null : site.navigation.length,
    examples: examplesOf(pages),
    languages: distinct(pages.map(page => page.language)),
    defaultLanguage: defaultLanguage(pages),
    versions: distinct(pages.map(page => page.version)),
    unread: [...otherKind(site, kind, docsFolder), ...site.unread].slice(0, MOST_UNREAD),
    unreadPages: unreadPages(source, docsFolder ?? site.docsFolder),
  };
}

function examplesOf(pages: readonly SitePage[]): SiteFacts['examples'] {
  const others = pages.filter(({ path }) => path !== '/');
  return (others.length > 0 ? others : pages)
    .slice(0, MOST_EXAMPLES)
    .map(({ file, url }) => ({ file, url }));
}

function otherKind(site: Site, wanted: WantedSite['kind'], folder: string | undefined) {
  if (!wanted || wanted === site.kind) return [];
  const place = folder === undefined || folder === '' ? 'this repository' : folder;
  const message = `There is no ${wanted} site in ${place}: its pages are read as ${site.kind}.`;
  return [{ file: folder === undefined || folder === '' ? '.' : folder, line: null, message }];
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter(value => value !== null);
}
