import { asString, at, itemsOf, membersOf, type StaticValue } from '../../code/static-value.ts';
import { markNavigation } from '../navigation.ts';
import { isExternal, sitePathOf, splitUrl } from '../paths.ts';
import type { NavigationItem, Unread } from '../site-kind.ts';
import { unreadParts } from '../unread.ts';
import type { VitePressConfig } from './config.ts';
import { localeOf, type VitePressPage } from './pages.ts';

/** Every sidebar, flattened in the order in which it is shown. */
export function readSidebars(
  config: VitePressConfig,
  pages: readonly VitePressPage[],
): { navigation: NavigationItem[]; unread: Unread[] } {
  const byPath = new Map(pages.map(page => [page.path, page]));
  const navigation: NavigationItem[] = [];
  const unread: Unread[] = [];
  for (const { folder, value } of config.sidebars) {
    const lists: [string, StaticValue][] =
      value.kind === 'object' ? membersOf(value) : [[`/${folder}`, value]];
    for (const [prefix, list] of lists) {
      const locale = localeOf(sitePathOf(prefix), config);
      const items = list.kind === 'object' ? at(list, 'items') : list;
      const base = asString(at(list, 'base')) ?? '';
      const read = new SidebarReader(byPath, { sidebar: prefix, locale });
      read.level(items, base, []);
      navigation.push(...read.items);
      unread.push(...unreadParts(list, `the sidebar of ${prefix}`));
    }
  }
  return { navigation, unread };
}

/** Gives the pages that only a bar at the top leads to their place in the navigation. */
export function markBars({ bars }: VitePressConfig, pages: readonly VitePressPage[]): void {
  for (const bar of bars) {
    const read = new SidebarReader(new Map(pages.map(page => [page.path, page])), {});
    read.level(bar, '', []);
    markNavigation(pages, read.items);
  }
}

class SidebarReader {
  readonly items: NavigationItem[] = [];
  readonly #pages: ReadonlyMap<string, VitePressPage>;
  readonly #list: Pick<NavigationItem, 'sidebar' | 'locale'>;

  constructor(
    pages: ReadonlyMap<string, VitePressPage>,
    list: Pick<NavigationItem, 'sidebar' | 'locale'>,
  ) {
    this.#pages = pages;
    this.#list = list;
  }

  level(list: StaticValue | undefined, base: string, crumbs: string[]): void {
    for (const item of itemsOf(list)) {
      const own = asString(at(item, 'base')) ?? base;
      const title = asString(at(item, 'text')) ?? '';
      const link = asString(at(item, 'link'));
      if (link !== undefined) this.items.push(this.#item(title, link, own, crumbs));
      const nested = at(item, 'items');
      if (nested) this.level(nested, own, title === '' ? crumbs : [...crumbs, title]);
    }
  }

  #item(title: string, link: string, base: string, crumbs: string[]): NavigationItem {
    const item = { ...this.#list, title, crumbs };
    if (isExternal(link)) return { ...item, href: link };
    const path = pathOfLink(link, base);
    const page = this.#pages.get(path);
    return page ? { ...item, path, file: page.file } : { ...item, path };
  }
}

/** The site path that a link in a sidebar leads to; '' for one that leads out of the site. */
export function pathOfLink(link: string, base: string): string {
  if (isExternal(link)) return '';
  const whole = base === '' ? link : base + link.replace(/^\//, base.endsWith('/') ? '' : '/');
  return sitePathOf(
    splitUrl(whole)
      .path.replace(/\.(?:md|html)$/, '')
      .replace(/(^|\/)index$/, '$1'),
  );
}
