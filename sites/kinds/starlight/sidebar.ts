import { asString, at, itemsOf, type StaticValue } from '../../code/static-value.ts';
import { isExternal, sitePathOf, splitUrl } from '../paths.ts';
import type { NavigationItem, SiteProblem } from '../site-kind.ts';
import type { StarlightConfig, StarlightLocale } from './config.ts';
import type { StarlightRoute } from './pages.ts';

/** The sidebar of every language, flattened in the order in which it is shown. */
export function readSidebar(
  config: StarlightConfig,
  routes: readonly StarlightRoute[],
): { navigation: NavigationItem[]; problems: SiteProblem[] } {
  const navigation: NavigationItem[] = [];
  const problems: SiteProblem[] = [];
  for (const locale of config.locales) {
    const own = routes.filter(route => route.locale === locale);
    const reader = new SidebarReader(locale, own);
    if (config.sidebar) reader.level(config.sidebar, []);
    else reader.folder(locale.key ?? '', []);
    navigation.push(...reader.items);
    if (locale === config.locales[0]) problems.push(...reader.problems);
  }
  return { navigation, problems };
}

class SidebarReader {
  readonly items: NavigationItem[] = [];
  readonly problems: SiteProblem[] = [];
  readonly #locale: StarlightLocale;
  readonly #routes: ReadonlyMap<string, StarlightRoute>;

  constructor(locale: StarlightLocale, routes: readonly StarlightRoute[]) {
    this.#locale = locale;
    this.#routes = new Map(routes.map(route => [route.id, route]));
  }

  level(list: StaticValue | undefined, crumbs: string[]): void {
    for (const item of itemsOf(list)) {
      const slug = asString(item) ?? asString(at(item, 'slug'));
      const link = asString(at(item, 'link'));
      const folder = asString(at(item, 'autogenerate', 'directory'));
      const label = this.#label(item);
      const group = label === undefined ? crumbs : [...crumbs, label];
      if (slug !== undefined) this.#slug(slug, item, label, crumbs);
      else if (link !== undefined) this.#link(link, label ?? link, crumbs);
      else if (folder !== undefined) this.folder(this.#below(folder), group);
      else this.level(at(item, 'items'), group);
    }
  }

  /** The pages below a folder, by their order, then by path. */
  folder(folder: string, crumbs: string[]): void {
    const inside = routesIn([...this.#routes.values()], folder);
    for (const entry of sorted(treeOf(inside, folder))) this.#entry(entry, crumbs);
  }

  #entry(entry: Entry, crumbs: string[]): void {
    if (entry.route) this.#page(entry.route, entry.route.label ?? entry.route.title, crumbs);
    else for (const one of sorted(entry.entries)) this.#entry(one, [...crumbs, entry.name]);
  }

  #slug(slug: string, item: StaticValue, label: string | undefined, crumbs: string[]): void {
    const id = this.#below(slug === 'index' ? '' : slug);
    const route = this.#routes.get(id);
    if (route) return this.#page(route, label ?? route.label ?? route.title, crumbs);
    const { file, line } = item;
    const message = `The sidebar names ${slug}, which does not exist.`;
    this.problems.push({ rule: 'navigation', file, line, link: slug, message });
  }

  #link(link: string, title: string, crumbs: string[]): void {
    const item = { title, crumbs, locale: this.#locale.key };
    if (isExternal(link)) {
      this.items.push({ ...item, href: link });
      return;
    }
    const path = sitePathOf(this.#locale.key ?? '', splitUrl(link).path);
    const route = this.#routes.get(path.slice(1));
    this.items.push({ ...item, path, ...(route && !route.isFallback && { file: route.file }) });
  }

  #page(route: StarlightRoute, title: string, crumbs: string[]): void {
    const item = { title, crumbs, locale: this.#locale.key, path: sitePathOf(route.id) };
    this.items.push(route.isFallback ? item : { ...item, file: route.file });
  }

  #label(item: StaticValue): string | undefined {
    const translations = at(item, 'translations');
    const translated = asString(at(translations, this.#locale.lang));
    return translated ?? asString(at(item, 'label'));
  }

  #below(folder: string): string {
    const bare = folder.replace(/^\/|\/$/g, '');
    return [this.#locale.key ?? '', bare].filter(part => part !== '').join('/');
  }
}

/** The pages that a folder lists, those in folders below it included, in order. */
export function folderRoutes(routes: readonly StarlightRoute[], folder: string): StarlightRoute[] {
  const flat = (entries: Entry[]): StarlightRoute[] =>
    sorted(entries).flatMap(({ route, entries: inner }) => (route ? [route] : flat(inner)));
  return flat(treeOf(routesIn(routes, folder), folder));
}

function routesIn(routes: readonly StarlightRoute[], folder: string): StarlightRoute[] {
  return routes.filter(({ hidden, localPath }) => {
    const path = localPath.replace(/\.\w+$/, '');
    return !hidden && (folder === '' || path === folder || localPath.startsWith(`${folder}/`));
  });
}

interface Entry {
  name: string;
  /** What entries are compared by: the id of a page, the path of a folder. */
  key: string;
  route?: StarlightRoute;
  entries: Entry[];
}

function treeOf(routes: readonly StarlightRoute[], folder: string): Entry[] {
  const root: Entry = { name: '', key: folder, entries: [] };
  const deepFirst = routes.toSorted((a, b) => depth(b) - depth(a));
  for (const route of deepFirst) {
    const path = route.localPath.replace(/\.\w+$/, '');
    const rest = folder === '' ? path : path === folder ? '' : path.slice(folder.length + 1);
    const parts = rest.split('/');
    let node = root;
    for (const part of parts.slice(0, -1)) {
      let next = node.entries.find(entry => entry.name === part && !entry.route);
      if (!next) {
        const key = [node.key, part].filter(one => one !== '').join('/');
        next = { name: part, key, entries: [] };
        node.entries.push(next);
      }
      node = next;
    }
    const name = parts.at(-1) ?? '';
    const same = node.entries.find(entry => entry.name === name && !entry.route);
    (same ?? node).entries.push({ name, key: route.id, route, entries: [] });
  }
  return root.entries;
}

function depth(route: StarlightRoute): number {
  return route.localPath.split('/').length;
}

const collator = new Intl.Collator('en');

function sorted(entries: Entry[]): Entry[] {
  return entries.toSorted((a, b) => {
    const [first, second] = [orderOf(a), orderOf(b)];
    return first === second ? collator.compare(a.key, b.key) : first < second ? -1 : 1;
  });
}

function orderOf(entry: Entry): number {
  return entry.route ? entry.route.order : Math.min(...entry.entries.map(orderOf));
}
