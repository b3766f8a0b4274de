import { below } from '../../sites/kinds/paths.ts';
import type { SiteKind } from '../../sites/kinds/kind.ts';
import type { Site, SiteSource } from '../../sites/kinds/site-kind.ts';
import { isPagePath } from '../../sites/markdown.ts';
import type { OutlineLink } from '../../sites/outline/page-outline.ts';
import { likelyLinks } from '../../sites/page-links.ts';
import { keptWith } from '../kept-with.ts';
import { type OwnLink, ownLinks } from './own-links.ts';
import { fileOfLink } from './relink.ts';

/** Pages, and partials beside them, with their links to one file. */
export type Inbound = Map<string, (OutlineLink | OwnLink)[]>;

export function inboundLinks(
  source: SiteSource,
  site: Site,
  kind: SiteKind,
  file: string,
): Inbound {
  const inbound: Inbound = new Map();
  for (const path of textFiles(source, site, kind)) {
    if (path === file) continue;
    const own = ownLinks(kind.links ?? [], source.read(path) ?? '');
    const links = [...linksOf(source, site, path), ...own].filter(
      link => fileOfLink(site, link, path) === file,
    );
    if (links.length > 0) inbound.set(path, links);
  }
  return inbound;
}

export function textFiles(source: SiteSource, site: Site, kind: SiteKind): string[] {
  const own = pagesOf(site);
  const listed = new Set(site.configFiles);
  return source.paths.filter(
    path =>
      (isPagePath(path) || kind.texts?.test(path)) &&
      !listed.has(path) &&
      (own.has(path) || below(site.docsFolder, path) !== undefined),
  );
}

export function linksOf(source: SiteSource, site: Site, file: string) {
  const outline = pagesOf(site).has(file) ? site.outline(file) : source.outline(file);
  // The outline reads no addresses without quotes.
  const bare = BARE_ADDRESS.test(outline.text)
    ? likelyLinks(outline.text).map(url => ({ kind: LINK, url, line: 1 }))
    : [];
  const imports = outline.imports.map(({ path: url, line }) => ({ kind: IMPORT, url, line }));
  return [...outline.links, ...imports, ...bare];
}

const IMPORT = 'import' as const;
const LINK = 'link' as const;
const BARE_ADDRESS = /\b(?:href|src)\s*=\s*[^\s"'{`>]/;

const pagesOf = keptWith(({ pages }: Site) => new Set(pages.map(({ file }) => file)));
