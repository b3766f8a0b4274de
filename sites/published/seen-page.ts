import { decoded } from '../kinds/paths.ts';
import type { Site } from '../kinds/site-kind.ts';

/** A page that the published site was seen to have. */
export interface SeenPage {
  /** Path of its address, as the site writes it. */
  path: string;
  /** Null: it is not known. */
  title: string | null;
  /** Of the text of its main part; null: that was not read. */
  digest: string | null;
}

/** What a published site was seen to have. */
export interface SeenSite {
  /** The project's address of the site. */
  siteUrl: string;
  /** It says all that it has; else there may be pages that were not seen. */
  isList: boolean;
  pages: readonly SeenPage[];
}

/** With its path as a page of a `Site` has it. */
export interface PlacedPage extends SeenPage {
  /** The path from the top of the host. */
  at: string;
}

/** The seen pages below the address of the site. */
export function seenPages({ siteUrl, pages }: SeenSite, { basePath }: Site): PlacedPage[] {
  const folder = new URL(siteUrl).pathname.replace(/\/+$/, '');
  // The base path may stand in the address too: see pageUrl of db/search.
  const isNamed = basePath !== '/' && folder.endsWith(basePath);
  const prefix = isNamed ? folder.slice(0, -basePath.length) : folder;
  const home = isNamed ? basePath : '/';
  return pages.flatMap(page => {
    const at = page.path;
    if (page.path === prefix) return [{ ...page, at, path: '/' }];
    if (!page.path.startsWith(`${prefix}/`)) return [];
    const path = page.path.slice(prefix.length);
    return home === '/' || path === home || path.startsWith(`${home}/`)
      ? [{ ...page, at, path }]
      : [];
  });
}

/** One form of an address that hosts answer alike: without escapes and without a slash behind. */
export function addressKey(url: string): string {
  const path = decoded(url.replace(/[?#].*$/s, '')).replace(/\/index\.html?$/, '/');
  return path.replace(/(?<!\/)\/+$/, '') || '/';
}

/** The form in which only the ending and the case of letters are left out as well. */
export function looseKey(url: string): string {
  return addressKey(url)
    .replace(/\.html?$/i, '')
    .replace(/\/(?:index|readme)$/i, '')
    .toLowerCase();
}

/** Letters and digits of a title: sites decorate titles. */
export function titleKey(title: string): string {
  return title
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
