import { asString, at, type Slot, type StaticValue } from '../../../sites/code/static-value.ts';
import { entryOf, literalOf } from '../code-navigation/entry-of.ts';
import type { WrittenEntry, WrittenList } from '../code-navigation/written-navigation.ts';
import { isExternal, joinPath, sitePathOf, splitUrl } from '../../../sites/kinds/paths.ts';
import type { StarlightConfig } from '../../../sites/kinds/starlight/config.ts';
import type { StarlightRoute } from '../../../sites/kinds/starlight/pages.ts';
import { folderRoutes } from '../../../sites/kinds/starlight/sidebar.ts';

/** The sidebar as it is written; `routes` are those of the default language. */
export function writtenSidebar(
  config: StarlightConfig,
  routes: readonly StarlightRoute[],
): WrittenList[] {
  const locale = config.locales[0]?.key ?? '';
  const reader = new EntryReader(config, routes, locale);
  const { sidebar } = config;
  if (!sidebar) return [{ name: 'sidebar', entries: [reader.folder('', [], {})] }];
  const literal = literalOf(sidebar);
  const list = { name: 'sidebar', entries: reader.level(sidebar, []) };
  return [literal ? { ...list, literal } : list];
}

class EntryReader {
  readonly #config: StarlightConfig;
  readonly #routes: readonly StarlightRoute[];
  readonly #byId: ReadonlyMap<string, StarlightRoute>;
  readonly #locale: string;

  constructor(config: StarlightConfig, routes: readonly StarlightRoute[], locale: string) {
    this.#config = config;
    this.#routes = routes;
    this.#byId = new Map(routes.map(route => [route.id, route]));
    this.#locale = locale;
  }

  level(value: StaticValue | undefined, crumbs: readonly string[]): WrittenEntry[] {
    if (value?.kind !== 'array') return [];
    return value.items.map((item, index) => this.#item(item, crumbs, value.slots[index]));
  }

  #item(item: StaticValue, crumbs: readonly string[], slot: Slot | undefined): WrittenEntry {
    const bare = asString(item);
    if (bare !== undefined) return this.#page(bare, crumbs, { slot, value: item, target: slot });
    if (item.kind !== 'object') return entryOf('unread', '', crumbs, { slot, value: item });
    const places = { slot, value: item, label: item.slots.get('label') };
    const title = asString(at(item, 'label'));
    const slug = asString(at(item, 'slug'));
    const link = asString(at(item, 'link'));
    if (slug !== undefined)
      return this.#page(slug, crumbs, { ...places, target: item.slots.get('slug') }, title);
    if (link !== undefined)
      return this.#link(link, crumbs, { ...places, target: item.slots.get('link') }, title);
    const folder = asString(at(item, 'autogenerate', 'directory'));
    const group = [...crumbs, ...(title === undefined ? [] : [title])];
    if (folder !== undefined) {
      const listed = this.folder(folder, group, places);
      return { ...listed, title: title ?? '', crumbs };
    }
    const items = at(item, 'items');
    return entryOf(
      'group',
      title ?? '',
      crumbs,
      places,
      this.level(items, group),
      literalOf(items),
    );
  }

  #page(
    slug: string,
    crumbs: readonly string[],
    places: Parameters<typeof entryOf>[3],
    title?: string,
  ): WrittenEntry {
    const route = this.#byId.get(this.#localized(slug === 'index' ? '' : slug));
    const shown = title ?? route?.label ?? route?.title ?? slug;
    return entryOf('page', shown, crumbs, { ...places, file: route?.file });
  }

  #link(
    link: string,
    crumbs: readonly string[],
    places: Parameters<typeof entryOf>[3],
    title = link,
  ): WrittenEntry {
    const id = isExternal(link)
      ? undefined
      : this.#localized(sitePathOf(splitUrl(link).path).slice(1));
    const route = id === undefined ? undefined : this.#byId.get(id);
    return entryOf(route ? 'page' : 'link', title, crumbs, { ...places, file: route?.file });
  }

  /** What the generator lists: each page as an entry that is written nowhere. */
  folder(
    name: string,
    crumbs: readonly string[],
    places: Parameters<typeof entryOf>[3],
  ): WrittenEntry {
    const bare = name.replace(/^\/|\/$/g, '');
    const inside = folderRoutes(this.#routes, this.#localized(bare));
    const entries = inside.map(route =>
      entryOf('page', route.label ?? route.title, crumbs, { file: route.file }),
    );
    const folder = joinPath(this.#config.docsFolder, this.#locale, bare) ?? '';
    return { ...entryOf('folder', '', crumbs, places, entries), folder };
  }

  #localized(path: string): string {
    return [this.#locale, path].filter(part => part !== '').join('/');
  }
}
