import type { Project } from '../../../db/projects/projects.ts';
import { linkTo } from '../../../db/search/page-url.ts';
import { readSitePlace } from '../../../db/search/pages.ts';
import { publicUrl } from '../../../shared/config.ts';
import { isExternal } from '../../../sites/kinds/paths.ts';
import type { AssistantDeps } from '../../assistant/deps.ts';
import { relink } from '../../assistant/markdown/page-markdown.ts';

/** The addresses of a site's pages. A reader over MCP is not on the site: all are absolute. */
export interface SiteAddresses {
  addressOf(page: { path: string; url: string | null }): string;
  /** The path or the address as the site writes it, of an address that `addressOf` has given. */
  pathOf(address: string): string;
  /**
   * Markdown of pages with absolute links. A link to a page leads to that page's address, any other
   * to where a browser on the page would go.
   */
  absolute(texts: readonly { path: string; text: string }[]): Promise<string[]>;
}

export async function siteAddresses(
  { config, db }: AssistantDeps,
  { id: projectId }: Project,
): Promise<SiteAddresses> {
  const place = await readSitePlace(db, projectId);
  const addressOf: SiteAddresses['addressOf'] = page => {
    const address = linkTo({ ...place, ...page });
    return address.startsWith('/') ? `${publicUrl(config)}${address}` : address;
  };
  const site = { db, projectId, basePath: place.base_path ?? '/' };
  const base = addressOf({ path: '', url: null });
  return {
    addressOf,
    pathOf: address => (address.startsWith(`${base}/`) ? address.slice(base.length) : address),
    absolute: texts =>
      relink(site, texts, ({ url, found }, path) => {
        if (found) return `${addressOf(found)}${/[?#].*$/.exec(url)?.[0] ?? ''}`;
        const page = addressOf({ path, url: null });
        return !isExternal(url) && URL.canParse(url, page) ? new URL(url, page).href : url;
      }),
  };
}
