import type { EntryPosition, EntryReference } from '../navigation-edit.ts';
import type { EntryList, ListEntry } from './entry-list.ts';

/** An entry with the list that it is in and what is above it. */
export interface FoundEntry {
  list: EntryList;
  entry: ListEntry;
  /** The entry that it is below, if any. */
  parent: ListEntry | undefined;
  siblings: ListEntry[];
  /** Titles of the levels above. */
  crumbs: string[];
}

/** Where something goes: behind or before an entry, or into a level that has none. */
export interface Slot {
  list: EntryList;
  /** Something goes right behind or before this entry… */
  beside?: { found: FoundEntry; before: boolean };
  /** …or is the first below this one; neither: the first of the list. */
  parent?: ListEntry;
}

export type Refusal = { refused: string };

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}

/** Every entry of some lists, in order. */
export function* entriesOf(lists: readonly EntryList[]): Generator<FoundEntry> {
  for (const list of lists) yield* below(list, list.entries, undefined, [...list.crumbs]);
}

function* below(
  list: EntryList,
  siblings: ListEntry[],
  parent: ListEntry | undefined,
  crumbs: string[],
): Generator<FoundEntry> {
  for (const entry of siblings) {
    yield { list, entry, parent, siblings, crumbs };
    yield* below(list, entry.children ?? [], entry, [...crumbs, titleOf(entry)]);
  }
}

/** The one entry that is meant; a sentence if there is none, or more than one. */
export function findEntry(
  lists: readonly EntryList[],
  reference: EntryReference,
  titleOfFile: (file: string) => string | undefined,
): FoundEntry | Refusal {
  const shown = ({ entry }: FoundEntry) =>
    entry.title ?? (entry.file === undefined ? undefined : titleOfFile(entry.file));
  const found = [...entriesOf(lists)].filter(one =>
    'file' in reference
      ? one.entry.file === reference.file
      : same(shown(one) ?? '', reference.title) && titlesEndWith(one.crumbs, reference.group ?? []),
  );
  const [first, second] = found;
  if (first && ('file' in reference || !second)) return first;
  const name = 'file' in reference ? reference.file : `“${reference.title}”`;
  if (!first) return { refused: `The navigation has no entry for ${name}.${hintOf(lists)}` };
  const places = found.map(one => one.crumbs.join(' > ') || 'the top level').join('; ');
  return { refused: `The navigation has several entries ${name}: in ${places}. Name the group.` };
}

/** The place that a position names. */
export function findSlot(
  lists: readonly EntryList[],
  position: EntryPosition,
  titleOfFile: (file: string) => string | undefined,
): Slot | Refusal {
  if ('group' in position) return slotInGroup(lists, position);
  const before = 'before' in position;
  const found = findEntry(lists, before ? position.before : position.after, titleOfFile);
  if (isRefusal(found)) return found;
  return { list: found.list, beside: { found, before } };
}

function slotInGroup(
  lists: readonly EntryList[],
  { group, at, list: name }: Extract<EntryPosition, { group: readonly string[] }>,
): Slot | Refusal {
  const levels = levelsOf(lists).filter(
    one =>
      (name === undefined || one.crumbs.some(crumb => same(crumb, name))) &&
      [one.crumbs, one.parent ? one.crumbs : (one.list.otherCrumbs ?? one.crumbs)].some(crumbs =>
        group.length === 0 ? crumbs.length === 0 : titlesEndWith(crumbs, group),
      ),
  );
  // A level that is written as such is meant before one that merely could be there.
  const [level, second] = levels.some(one => one.entries.length > 0)
    ? levels.filter(one => one.entries.length > 0)
    : levels;
  const wanted = group.join(' > ') || 'the top level';
  if (!level) return { refused: `The navigation has no group ${wanted}.${hintOf(lists)}` };
  if (second && group.length > 0) {
    const places = levels.map(one => one.crumbs.join(' > ')).join('; ');
    return { refused: `Several groups are called ${wanted}: ${places}. Name the levels above it.` };
  }
  return slotOf(level, at);
}

interface Level {
  list: EntryList;
  parent: ListEntry | undefined;
  entries: ListEntry[];
  crumbs: string[];
}

function levelsOf(lists: readonly EntryList[]): Level[] {
  return [
    ...lists.map(list => ({
      list,
      parent: undefined,
      entries: list.entries,
      crumbs: [...list.crumbs],
    })),
    ...[...entriesOf(lists)].flatMap(({ list, entry, crumbs }) =>
      entry.children
        ? [{ list, parent: entry, entries: entry.children, crumbs: [...crumbs, titleOf(entry)] }]
        : [],
    ),
  ];
}

function slotOf({ list, parent, entries, crumbs }: Level, at: 'start' | 'end'): Slot {
  const entry = at === 'start' ? entries[0] : entries.at(-1);
  if (!entry) return { list, ...(parent && { parent }) };
  const found = { list, entry, parent, siblings: entries, crumbs };
  return { list, beside: { found, before: at === 'start' } };
}

function hintOf(lists: readonly EntryList[]): string {
  return titlesHint(
    levelsOf(lists)
      .filter(({ crumbs, entries }) => crumbs.length > 0 && entries.length > 0)
      .map(({ crumbs }) => crumbs),
  );
}

/** ` The groups are: A; A > B.`, for a model that guessed. */
export function titlesHint(groups: readonly (readonly string[])[]): string {
  const titles = new Set(groups.map(crumbs => crumbs.join(' > ')));
  const shown = [...titles].slice(0, 20);
  return shown.length === 0 ? '' : ` The groups are: ${shown.join('; ')}.`;
}

export function titleOf({ title, target }: ListEntry): string {
  return title ?? target ?? '';
}

/** As readers compare titles. */
export function same(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Whether the last of the titles are these. */
export function titlesEndWith(crumbs: readonly string[], group: readonly string[]): boolean {
  const tail = crumbs.slice(crumbs.length - group.length);
  return group.length <= crumbs.length && group.every((title, i) => same(title, tail[i] ?? ''));
}
