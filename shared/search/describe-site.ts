import { jsonText } from '../db/json.ts';
import { findSites, isAside, readSite } from '../site/kinds/registry.ts';
import { type PageOutline, plainText } from '../site/outline/page-outline.ts';
import type { Site, SitePage, SiteSource } from '../site/kinds/site-kind.ts';
import type {
  PublishedHeading,
  PublishedPage,
  PublishedSite,
  SiteFacts,
  WantedSite,
} from './published-site.ts';
import { defaultLanguage, isOld, oldVersions, translations } from './translations.ts';

/** What an index of Postgres holds of a page must fit in 2,700 bytes. */
const LONGEST_PATH = 500;
const MOST_UNREAD = 20;
const MOST_CONFIG_FILES = 10;
/** Other formats (reStructuredText, AsciiDoc, notebooks) are listed by a site and not read. */
const MARKDOWN = /\.(?:mdx?|markdown|mdoc)$/i;
/** Instruction files are ours. */
const INSTRUCTIONS = /(?:^|\/)(?:AGENTS|ASSISTANT)\.md$/;

/** The site that is wanted, as its generator publishes it; undefined if there is none. */
export function describeSite(source: SiteSource, wanted: WantedSite): PublishedSite | undefined {
  const site = wantedSite(source, wanted);
  if (!site) return undefined;
  const pages = indexedPages(site, wanted.docsFolder);
  return storable({ facts: factsOf(site, pages), pages: publishedPages(site, pages) });
}

/** A site's configuration may name anything: without the characters that Postgres refuses. */
function storable(site: PublishedSite): PublishedSite {
  return JSON.parse(jsonText(site)) as PublishedSite;
}

function wantedSite(source: SiteSource, { kind, docsFolder }: WantedSite): Site | undefined {
  for (const found of findSites(source)) {
    if (kind && found.kind !== kind) continue;
    if (!kind && !docsFolder && isAside(found)) continue;
    const site = readSite(source, found);
    if (site && (docsFolder === undefined || isAround(site, docsFolder))) return site;
  }
  return undefined;
}

/** Whether the site's pages are those of the folder: it holds them, or is a part of them. */
function isAround(site: Site, folder: string): boolean {
  return isWithin(site.docsFolder, folder) || isWithin(folder, site.docsFolder);
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** One for each path: drafts, unlisted pages and posts are left out. */
function indexedPages(site: Site, folder: string | undefined): SitePage[] {
  const isPart = folder !== undefined && folder !== site.docsFolder;
  const inFolder = (file: string) =>
    !isPart || isWithin(site.docsFolder, folder) || isWithin(file, folder);
  const pages = new Map<string, SitePage>();
  for (const page of site.pages) {
    if (page.draft || page.kind === 'blog') continue;
    // In Docusaurus a page to be kept from search; in MkDocs one that is only not in the navigation.
    if (page.unlisted && site.kind === 'docusaurus') continue;
    if (!MARKDOWN.test(page.file) || INSTRUCTIONS.test(page.file) || !inFolder(page.file)) continue;
    if (page.path.length > LONGEST_PATH || page.url.length > LONGEST_PATH) continue;
    if (!pages.has(page.path)) pages.set(page.path, page);
  }
  return [...pages.values()];
}

function publishedPages(site: Site, pages: readonly SitePage[]): PublishedPage[] {
  const inOther = translations(pages);
  const old = oldVersions(pages);
  return pages.map(page => ({
    file: page.file,
    path: page.path,
    url: page.url,
    language: page.language,
    version: page.version,
    oldVersion: isOld(old, page),
    translations: inOther.get(page) ?? [],
    title: page.title,
    headings: headingsOf(site, site.outline(page.file)),
  }));
}

function factsOf(site: Site, pages: readonly SitePage[]): SiteFacts {
  return {
    kind: site.kind,
    docsFolder: site.docsFolder,
    basePath: site.basePath,
    address: site.address,
    addressRule: site.addressRule,
    configFiles: site.configFiles.slice(0, MOST_CONFIG_FILES),
    pages: pages.length,
    leftOut: site.pages.length - pages.length,
    examples: pages
      .filter(page => page.path !== '/')
      .slice(0, 2)
      .map(page => page.url),
    languages: distinct(pages.map(page => page.language)),
    defaultLanguage: defaultLanguage(pages),
    versions: distinct(pages.map(page => page.version)),
    unread: site.unread.slice(0, MOST_UNREAD),
  };
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter(value => value !== null);
}

/** The page's own headings; those that a component brings along are not part of its text. */
function headingsOf(site: Site, outline: PageOutline): PublishedHeading[] {
  const own = { ...outline, components: [] };
  const ids = site.headingIds(own);
  const idOf = idsByHeading(site, own, ids);
  return own.headings.map((heading, i) => ({
    text: plainText(heading.parts),
    depth: heading.depth,
    id: idOf(i),
  }));
}

/** A heading may have no id (the title in Docusaurus) or several (targets in Sphinx). */
function idsByHeading(site: Site, outline: PageOutline, ids: readonly string[]) {
  const { headings } = outline;
  if (ids.length === headings.length) return (i: number) => ids[i] ?? null;
  const below = headings.filter(heading => heading.depth > 1);
  if (ids.length === below.length)
    return (i: number) => {
      const heading = headings[i];
      return heading && heading.depth > 1 ? (ids[below.indexOf(heading)] ?? null) : null;
    };
  const counts = headings.map(
    (_, i) => site.headingIds({ ...outline, headings: headings.slice(0, i) }).length,
  );
  return (i: number) => {
    const from = counts[i] ?? ids.length;
    return from < (counts[i + 1] ?? ids.length) ? (ids[from] ?? null) : null;
  };
}
