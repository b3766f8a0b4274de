import { readFrontMatter } from '../outline/front-matter.ts';
import { isExternal, sitePathOf, splitUrl } from '../kinds/paths.ts';
import type { Site, SitePage, SiteSource } from '../kinds/site-kind.ts';
import { addressBy, type AddressRule, describeRule } from './address-rule.ts';
import { addressKey, looseKey } from './seen-page.ts';

/** Addresses of a published site that its files do not say. */
export interface Addresses {
  /** Of all pages; null: that of the site's kind. */
  rule: AddressRule | null;
  /** By file: what the rule gets wrong. */
  files: Record<string, string>;
  /** Pages that are read where the site publishes them: their files are in formats that are not read. */
  readAtSite: number;
}

/** The site with its published addresses: of pages, of the navigation, and where links lead. */
export function withAddresses<S extends Site>(source: SiteSource, site: S, known: Addresses): S {
  const { rule, files } = known;
  const byFile = new Map<string, SitePage>();
  const moved = new Map<string, string>();
  for (const page of site.pages) {
    const url =
      (Object.hasOwn(files, page.file) ? files[page.file] : undefined) ??
      (rule ? addressBy(rule, page.file, membersOf(source, page.file)) : undefined) ??
      page.url;
    const path = url === page.url ? page.path : pathOf(site, url);
    byFile.set(page.file, { ...page, url, path });
    if (path !== page.path) moved.set(page.path, path);
  }
  const pages = [...byFile.values()];
  const byAddress = new Map(pages.map(page => [looseKey(page.url), page]));
  return {
    ...site,
    ...(rule && { addressRule: describeRule(rule) }),
    // Its addresses are known now.
    ...(rule &&
      site.generator !== undefined && {
        unread: site.unread.filter(({ file }) => file !== site.configFiles[0]),
      }),
    pages,
    navigation: site.navigation.map(item => {
      const own = item.file === undefined ? undefined : byFile.get(item.file)?.path;
      const path = own ?? (item.path === undefined ? undefined : moved.get(item.path)) ?? item.path;
      return path === undefined ? item : { ...item, path };
    }),
    resolve(url, file) {
      const target = site.resolve(url, file);
      if (target.kind === 'page')
        return { ...target, page: byFile.get(target.page.file) ?? target.page };
      if ((target.kind !== 'missing' && target.kind !== 'unchecked') || isExternal(url))
        return target;
      const from = byFile.get(file)?.url ?? '/';
      if (!URL.canParse(url, `https://site.invalid${from}`)) return target;
      const page = byAddress.get(looseKey(new URL(url, `https://site.invalid${from}`).pathname));
      return page ? { kind: 'page', page, anchor: splitUrl(url).anchor } : target;
    },
  };
}

export function membersOf(source: SiteSource, file: string): Record<string, unknown> {
  return readFrontMatter(source.read(file) ?? '').members;
}

/** The site path of an address: below the base path, without its ending. */
export function pathOf({ basePath }: Site, url: string): string {
  const key = addressKey(url).replace(/\.html?$/i, '');
  const own = basePath !== '/' && key.startsWith(basePath) ? key.slice(basePath.length) : key;
  return sitePathOf(own);
}
