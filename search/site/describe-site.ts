import { jsonText } from '../../db/json.ts';
import { compareSite, type SiteComparison } from '../../sites/published/compare-site.ts';
import type { ComparedPages } from '../../sites/published/comparison-text.ts';
import type { SeenSite } from '../../sites/published/seen-page.ts';
import { withAddresses } from '../../sites/published/with-addresses.ts';
import { projectSite, type ProjectSite, type WantedSite } from '../../sites/project-site.ts';
import { shownOutline, shownText } from '../../sites/kinds/includes.ts';
import type { KnownKind } from '../../sites/kinds/registry.ts';
import type { Site, SitePage, SiteSource } from '../../sites/kinds/site-kind.ts';
import { operationHeadings, publishedHeadings } from '../indexing/page-headings.ts';
import type { PublishedPage, SiteFacts } from '../../db/search/published-site.ts';
import { indexedPages } from '../indexing/indexed-pages.ts';
import { defaultLanguage, isOld, oldVersions, translations } from './translations.ts';
import { unreadPages } from '../indexing/unread-pages.ts';

const MOST_UNREAD = 20;
const MOST_CONFIG_FILES = 10;
const MOST_EXAMPLES = 3;

export interface DescribedSite {
  facts: SiteFacts;
  /** What the published site says of it; null: it was not seen. */
  compared: Pick<SiteComparison, 'addresses' | 'wanted'> | null;
  site: Site;
  /** The page of a file as readers see it. */
  textOf(file: string): string;
  /** Outlines every page of a generator's site, which takes about 1 ms for 8 KB. */
  pages(): PublishedPage[];
}

/** The site that is wanted, as its generator publishes it, or as it was seen to be published. */
export function describeSite(
  source: SiteSource,
  wanted: WantedSite,
  seen: SeenSite | null = null,
): DescribedSite {
  const ruled = projectSite(source, wanted);
  const { kind } = ruled;
  const compared = seen && compareSite(source, ruled.site, kind.isPlain ?? false, seen);
  const site = compared ? withAddresses(source, ruled.site, compared.addresses) : ruled.site;
  const known = { kind, site };
  const readAt = new Map(
    compared?.others.flatMap(({ page, seen: { at: path, digest } }) =>
      digest ? [[page.file, { path, digest }]] : [],
    ),
  );
  const others = compared?.others.filter(({ page }) => readAt.has(page.file)) ?? [];
  const pages = inOrder(site, [
    ...addressed(site, indexedPages(ruled, source, wanted.docsFolder)).filter(
      ({ file }) => !compared?.unpublished.has(file),
    ),
    ...others.map(({ page, seen: { title } }) => ({ ...page, title })),
  ]);
  return {
    facts: storable({
      ...factsOf(known, pages, source, wanted, new Set(readAt.keys())),
      published: compared && comparedPages(compared),
    }),
    compared,
    site,
    textOf: file => shownText(site, source, file),
    pages: () => storable([...publishedPages(known, pages, readAt), ...publishedApiPages(site)]),
  };
}

/** The pages that the rule chooses, at their addresses: one for each. */
function addressed({ pages }: Site, chosen: readonly SitePage[]): SitePage[] {
  const byFile = new Map(pages.map(page => [page.file, page]));
  return [
    ...new Map(chosen.map(({ file }) => byFile.get(file)!).map(page => [page.path, page])).values(),
  ];
}

function comparedPages({ elsewhere, withoutFile, ...rest }: SiteComparison): ComparedPages {
  const { pages, right } = rest;
  return {
    ...{ pages, right, elsewhere: elsewhere.length, withoutFile: withoutFile.length },
    examples: elsewhere.slice(0, MOST_EXAMPLES),
    addresses: withoutFile.slice(0, MOST_EXAMPLES),
  };
}

/** A site's configuration may name anything: without the characters that Postgres refuses. */
function storable<T>(value: T): T {
  return JSON.parse(jsonText(value)) as T;
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

function publishedPages(
  { kind, site }: ProjectSite,
  pages: readonly SitePage[],
  readAt: ReadonlyMap<string, { path: string; digest: string }>,
): PublishedPage[] {
  const inOther = translations(pages);
  const old = oldVersions(pages);
  const { isPlain } = kind;
  return pages.map(page => ({
    file: page.file,
    path: page.path,
    url: page.url,
    language: page.language,
    version: page.version,
    oldVersion: isOld(old, page),
    translations: inOther.get(page) ?? [],
    title: isPlain && !readAt.has(page.file) ? null : page.title,
    crumbs: page.crumbs,
    boost: page.boost ?? null,
    ...partsOf(site, page.file),
    headings:
      isPlain || readAt.has(page.file)
        ? null
        : [
            ...publishedHeadings(site, shownOutline(site, page.file)),
            ...operationHeadings(site.apiTexts?.get(page.file)?.operations ?? []),
          ],
    apiText: site.apiTexts?.get(page.file)?.text ?? null,
    isGenerated: false,
    ...(readAt.has(page.file) && { readAt: readAt.get(page.file)! }),
  }));
}

function partsOf({ shown }: Site, file: string): Pick<PublishedPage, 'parts'> {
  const { parts = [] } = shown?.page(file) ?? {};
  return parts.length > 0 ? { parts } : {};
}

function publishedApiPages(site: Site): PublishedPage[] {
  return (site.apiPages ?? []).map(({ file, path, url, title, crumbs, text, ...page }) => ({
    file,
    path,
    url,
    language: page.language,
    version: page.version,
    oldVersion: false,
    translations: [],
    title,
    crumbs,
    boost: null,
    headings: operationHeadings(page.operations),
    apiText: text,
    isGenerated: true,
  }));
}

function factsOf(
  { kind, site }: ProjectSite,
  pages: readonly SitePage[],
  source: SiteSource,
  { kind: wanted, docsFolder }: WantedSite,
  readAtSite: ReadonlySet<string>,
): SiteFacts {
  return {
    kind: kind.name,
    generator: site.generator ?? null,
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
    unread: [...otherKind(kind, wanted, docsFolder), ...site.unread].slice(0, MOST_UNREAD),
    unreadPages: unreadPages(source, docsFolder ?? site.docsFolder, readAtSite),
  };
}

function examplesOf(pages: readonly SitePage[]): SiteFacts['examples'] {
  const others = pages.filter(({ path }) => path !== '/');
  return (others.length > 0 ? others : pages)
    .slice(0, MOST_EXAMPLES)
    .map(({ file, url }) => ({ file, url }));
}

function otherKind({ name }: KnownKind, wanted: WantedSite['kind'], folder: string | undefined) {
  if (!wanted || wanted === name) return [];
  const place = folder === undefined || folder === '' ? 'this repository' : folder;
  const message = `There is no ${wanted} site in ${place}: its pages are read as ${name}.`;
  return [{ file: folder === undefined || folder === '' ? '.' : folder, line: null, message }];
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter(value => value !== null);
}
