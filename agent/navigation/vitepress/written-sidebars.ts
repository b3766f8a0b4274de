import {
  asString,
  at,
  membersOf,
  type Slot,
  type StaticValue,
} from '../../../sites/code/static-value.ts';
import { entryOf, literalOf } from '../code-navigation/entry-of.ts';
import type { WrittenEntry, WrittenList } from '../code-navigation/written-navigation.ts';
import { sitePathOf } from '../../../sites/kinds/paths.ts';
import type { VitePressConfig } from '../../../sites/kinds/vitepress/config.ts';
import { pathOfLink } from '../../../sites/kinds/vitepress/sidebar.ts';

/** A sidebar, and the part of the site that it is shown on. */
export interface WrittenSidebar extends WrittenList {
  prefix: string;
}

/** `base` of the groups around an entry, by the entry. */
export type Bases = Map<WrittenEntry, string>;

/** Every sidebar as it is written; `fileAt` knows the page of a site path. */
export function writtenSidebars(
  config: VitePressConfig,
  fileAt: (path: string) => string | undefined,
): { lists: WrittenSidebar[]; bases: Bases } {
  const bases: Bases = new Map();
  const lists = config.sidebars.flatMap(({ folder, value }) => {
    const parts: [string, StaticValue][] =
      value.kind === 'object' ? membersOf(value) : [[`/${folder}`, value]];
    return parts.map(([prefix, list]): WrittenSidebar => {
      const items = list.kind === 'object' ? at(list, 'items') : list;
      const base = asString(at(list, 'base')) ?? '';
      const entries = level(items, base, [], { fileAt, bases });
      const literal = literalOf(items);
      const sidebar = { name: prefix, prefix: sitePathOf(prefix), entries };
      return literal ? { ...sidebar, literal } : sidebar;
    });
  });
  return { lists, bases };
}

interface Reading {
  fileAt: (path: string) => string | undefined;
  bases: Bases;
}

function level(
  list: StaticValue | undefined,
  base: string,
  crumbs: readonly string[],
  reading: Reading,
): WrittenEntry[] {
  if (list?.kind !== 'array') return [];
  return list.items.map((item, index) => entryAt(item, list.slots[index], base, crumbs, reading));
}

function entryAt(
  item: StaticValue,
  slot: Slot | undefined,
  outer: string,
  crumbs: readonly string[],
  reading: Reading,
): WrittenEntry {
  if (item.kind !== 'object') return entryOf('unread', '', crumbs, { slot, value: item });
  const base = asString(at(item, 'base')) ?? outer;
  const title = asString(at(item, 'text')) ?? '';
  const link = asString(at(item, 'link'));
  const file = link === undefined ? undefined : reading.fileAt(pathOfLink(link, base));
  const target = item.slots.get('link');
  const places = { slot, value: item, label: item.slots.get('text'), target, file };
  const items = at(item, 'items');
  if (!items) {
    const entry = entryOf(file === undefined ? 'link' : 'page', title, crumbs, places);
    reading.bases.set(entry, base);
    return entry;
  }
  const inner = level(items, base, title === '' ? crumbs : [...crumbs, title], reading);
  const own = file === undefined ? {} : { ownPage: target };
  const group = entryOf('group', title, crumbs, { ...places, ...own }, inner, literalOf(items));
  reading.bases.set(group, base);
  return group;
}
