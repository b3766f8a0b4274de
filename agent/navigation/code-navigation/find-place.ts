import type { Literal } from '../../../sites/code/static-value.ts';
import { folderOf } from '../../../sites/kinds/paths.ts';
import type { EntryPosition, EntryReference } from '../navigation-edit.ts';
import type { WrittenEntry, WrittenList, WrittenNavigation } from './written-navigation.ts';

/** An entry with what is around it. */
export interface Found {
  entry: WrittenEntry;
  siblings: WrittenEntry[];
  parent: WrittenEntry | undefined;
  list: WrittenList;
}

export type Place =
  /** Between elements of a literal. */
  | { literal: Literal; index: number; model: WrittenEntry | undefined }
  /** Among pages that the generator lists by folder: behind the one at `at - 1`. */
  | { folder: string; siblings: WrittenEntry[]; at: number | undefined }
  | { refused: string };

export function findAll(
  lists: readonly WrittenList[],
  matches: (entry: WrittenEntry) => boolean,
): Found[] {
  const found: Found[] = [];
  const visit = (list: WrittenList, siblings: WrittenEntry[], parent?: WrittenEntry): void => {
    for (const entry of siblings) {
      if (matches(entry)) found.push({ entry, siblings, parent, list });
      visit(list, entry.entries, entry);
    }
  };
  for (const list of lists) visit(list, list.entries);
  return found;
}

export function findEntries(
  nav: WrittenNavigation,
  lists: readonly WrittenList[],
  reference: EntryReference,
): Found[] | { refused: string } {
  const found = findAll(lists, entry =>
    'file' in reference
      ? entry.file === reference.file && entry.type !== 'folder'
      : isSame(entry.title, reference.title) && endsWith(entry.crumbs, reference.group ?? []),
  );
  return found.length > 0 ? found : notFound(nav, describe(reference));
}

/** The one entry that is meant; `lists` says where to look first. */
export function findEntry(
  nav: WrittenNavigation,
  reference: EntryReference,
  lists = nav.lists,
): Found | { refused: string } {
  const near = findEntries(nav, lists, reference);
  const found = 'refused' in near ? findEntries(nav, nav.lists, reference) : near;
  if ('refused' in found) return found;
  const [first] = found;
  const places = new Set(found.map(({ entry, list }) => [list.name, ...entry.crumbs].join(' > ')));
  if (!first || places.size > 1)
    return {
      refused:
        `${describe(reference)} is in the navigation more than once: ` +
        `${[...places].join('; ')}. Name the group as well.`,
    };
  return first;
}

export function findPlace(nav: WrittenNavigation, file: string, position: EntryPosition): Place {
  const lists = nav.listsFor(file);
  if ('group' in position) return groupPlace(nav, lists, position, file);
  const isAfter = 'after' in position;
  const found = findEntry(nav, isAfter ? position.after : position.before, lists);
  if ('refused' in found) return found;
  return besidePlace(found, isAfter ? 1 : 0);
}

function besidePlace({ entry, siblings, parent }: Found, shift: number): Place {
  if (entry.slot)
    return {
      literal: entry.slot.literal,
      index: entry.slot.index + shift,
      model: modelIn(siblings, entry),
    };
  const folder = entry.folder ?? parent?.folder ?? folderOf(entry.file ?? '');
  return { folder, siblings, at: siblings.indexOf(entry) + shift };
}

function groupPlace(
  nav: WrittenNavigation,
  lists: readonly WrittenList[],
  position: Extract<EntryPosition, { group: readonly string[] }>,
  file: string,
): Place {
  const { group, at, list: name } = position;
  const named = name === undefined ? undefined : nav.lists.filter(one => isSame(one.name, name));
  if (named?.length === 0)
    return {
      refused: `There is no list "${name}". The lists are: ${nav.lists.map(one => one.name).join(', ')}.`,
    };
  const title = group.at(-1);
  if (title === undefined)
    return topPlace(nav, named ?? (lists.length > 0 ? lists : nav.lists), at);
  const inLists = (where: readonly WrittenList[]) =>
    findAll(
      where,
      ({ title: own, crumbs, type }) =>
        (type === 'group' || type === 'folder') && endsWith([...crumbs, own], group),
    );
  const near = inLists(named ?? lists);
  const found = near.length > 0 || named ? near : inLists(nav.lists);
  const [first] = found;
  if (!first) return notFound(nav, `A group "${group.join(' > ')}"`);
  if (new Set(found.map(one => one.list.name + one.entry.crumbs.join('>'))).size > 1)
    return {
      refused:
        `"${group.join(' > ')}" is in several places: ` +
        `${found.map(one => [one.list.name, ...one.entry.crumbs].join(' > ')).join('; ')}. ` +
        'Name the groups above it, or the list.',
    };
  return inside(first.entry, at, file);
}

function inside(group: WrittenEntry, at: 'start' | 'end', file: string): Place {
  const { entries, literal, folder } = group;
  const [first] = entries;
  if (literal && first?.folder !== undefined && isBelow(first.folder, file))
    return inside(first, at, file);
  if (literal)
    return {
      literal,
      index: at === 'start' ? 0 : literal.parts.length,
      model: modelIn(entries, at === 'start' ? entries[0] : entries.at(-1)),
    };
  if (folder !== undefined)
    return { folder, siblings: entries, at: at === 'start' ? 0 : entries.length };
  return { refused: `The entries of "${group.title}" are not written as a list.` };
}

function topPlace(
  nav: WrittenNavigation,
  lists: readonly WrittenList[],
  at: 'start' | 'end',
): Place {
  const [list] = lists;
  if (!list) return { refused: 'The site has no navigation list.' };
  if (lists.length > 1)
    return {
      refused:
        'There are several lists, so the top level is not clear. ' +
        `Name one: ${lists.map(one => one.name).join(', ')}.`,
    };
  return topOf(nav, list, at);
}

function topOf(nav: WrittenNavigation, list: WrittenList, at: 'start' | 'end'): Place {
  const { literal, entries } = list;
  const [only] = entries;
  if (!literal && only?.folder !== undefined)
    return { folder: only.folder, siblings: only.entries, at: undefined };
  if (!literal)
    return {
      refused: `The list "${list.name}" is not written as a list. ${unreadSentence(nav)}`.trim(),
    };
  const index = at === 'start' ? 0 : literal.parts.length;
  return { literal, index, model: modelIn(entries, entries.at(-1)) };
}

/** Without a position: behind the last page of the same folder, else at the end. */
export function usualPlace(nav: WrittenNavigation, file: string): Place {
  const lists = nav.listsFor(file);
  const [byFolder] = findAll(lists, ({ folder }) => folder !== undefined && isBelow(folder, file));
  if (byFolder)
    return {
      folder: byFolder.entry.folder ?? '',
      siblings: byFolder.entry.entries,
      at: undefined,
    };
  const beside = findAll(
    lists,
    ({ type, slot, file: other }) =>
      type === 'page' &&
      slot !== undefined &&
      other !== undefined &&
      folderOf(other) === folderOf(file),
  );
  const last = beside.at(-1);
  if (last) return besidePlace(last, 1);
  const [list] = lists;
  if (list) return topOf(nav, list, 'end');
  const names = nav.lists.map(one => one.name).join(', ');
  return {
    refused:
      nav.lists.length === 0
        ? `The site has no navigation list that can be read. ${unreadSentence(nav)}`.trim()
        : `None of the lists is for ${file}. The lists are: ${names}. Name one with a position.`,
  };
}

/** The page beside which an entry is written like it. */
function modelIn(siblings: readonly WrittenEntry[], near: WrittenEntry | undefined) {
  if (near?.type === 'page' && near.slot) return near;
  return siblings.find(one => one.type === 'page' && one.slot) ?? near;
}

export function isBelow(folder: string, file: string): boolean {
  return folder === '' || file.startsWith(`${folder}/`);
}

function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Whether the levels end with these; the outer ones may be left out. */
function endsWith(levels: readonly string[], wanted: readonly string[]): boolean {
  const tail = levels.slice(Math.max(0, levels.length - wanted.length));
  return (
    tail.length === wanted.length &&
    wanted.every((title, index) => isSame(title, tail[index] ?? ''))
  );
}

function describe(reference: EntryReference): string {
  return 'file' in reference ? reference.file : `"${reference.title}"`;
}

function notFound(nav: WrittenNavigation, what: string): { refused: string } {
  return { refused: `${what} is not in the navigation. ${unreadSentence(nav)}`.trim() };
}

/** What could not be read, so that nobody looks for it in vain. */
export function unreadSentence({ unread }: WrittenNavigation): string {
  const parts = unread
    .slice(0, 3)
    .map(({ file, line, message }) => `${file}:${line ?? 1} ${message}`);
  return parts.length === 0 ? '' : `Not read, and not edited: ${parts.join(' ')}`;
}
