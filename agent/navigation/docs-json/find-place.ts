import type { JSONPath } from 'jsonc-parser';
import { titlesEndWith, titlesHint, same } from '../entry-lists/find-entry.ts';
import type { EntryPosition, EntryReference } from '../navigation-edit.ts';
import type { JsonEntry } from './navigation-entries.ts';

type Refusal = { refused: string };

/** A place in a list of the navigation. */
export interface JsonSlot {
  file: string;
  list: JSONPath;
  /** The item before which something goes; beyond the last one: at the end. */
  index: number;
  /** Said to the model, such as ` after “Install”`. */
  words: string;
  /** An entry of the same list, if it has any. */
  sibling: JsonEntry | undefined;
}

export interface JsonNavigation {
  entries: JsonEntry[];
  /** The page's file, for an entry as written. */
  fileOf(page: string): string | undefined;
  titleOfFile(file: string): string | undefined;
}

export function findJsonEntry(
  navigation: JsonNavigation,
  reference: EntryReference,
): JsonEntry | Refusal {
  const found = navigation.entries.filter(entry =>
    'file' in reference
      ? entry.page !== undefined && navigation.fileOf(entry.page) === reference.file
      : same(titleOf(navigation, entry), reference.title) &&
        titlesEndWith(entry.crumbs, reference.group ?? []),
  );
  const [first, second] = found;
  if (first && ('file' in reference || !second)) return first;
  const name = 'file' in reference ? reference.file : `“${reference.title}”`;
  if (!first)
    return { refused: `The navigation has no entry for ${name}.${hintOf(navigation.entries)}` };
  const places = found.map(({ crumbs }) => crumbs.join(' > ') || 'the top level').join('; ');
  return { refused: `The navigation has several entries ${name}: in ${places}. Name the group.` };
}

export function findJsonSlot(
  navigation: JsonNavigation,
  position: EntryPosition,
): JsonSlot | Refusal {
  if ('group' in position) return slotInGroup(navigation, position);
  const before = 'before' in position;
  const entry = findJsonEntry(navigation, before ? position.before : position.after);
  if ('refused' in entry) return entry;
  const words = ` ${before ? 'before' : 'after'} “${titleOf(navigation, entry)}”`;
  return slotBeside(entry, before ? 0 : 1, words);
}

/** Beside an item of a list; an entry may also be a member of its own, such as `root`. */
export function slotBeside(entry: JsonEntry, offset: number, words: string): JsonSlot | Refusal {
  const index = entry.pointer.at(-1);
  if (typeof index !== 'number')
    return { refused: 'That entry stands for its group. Name a page in the group instead.' };
  const list = entry.pointer.slice(0, -1);
  return { file: entry.file, list, index: index + offset, words, sibling: entry };
}

function slotInGroup(
  { entries }: JsonNavigation,
  { group, at, list: name }: Extract<EntryPosition, { group: readonly string[] }>,
): JsonSlot | Refusal {
  const levels = entries.filter(entry => {
    if (entry.page !== undefined || !entry.list) return false;
    const titles = entry.title === undefined ? entry.crumbs : [...entry.crumbs, entry.title];
    if (name !== undefined && !titles.some(title => same(title, name))) return false;
    return group.length === 0 ? titles.length === 0 : titlesEndWith(titles, group);
  });
  const [level, second] = levels;
  const wanted = group.join(' > ') || 'the top level';
  if (!level?.list) return { refused: `The navigation has no group ${wanted}.${hintOf(entries)}` };
  if (second) {
    const places = levels.map(one => [...one.crumbs, one.title ?? ''].join(' > ')).join('; ');
    return { refused: `Several groups are called ${wanted}: ${places}. Name the levels above it.` };
  }
  const { file, list } = level;
  const inList = entries.filter(
    one => one.file === file && JSON.stringify(one.pointer.slice(0, -1)) === JSON.stringify(list),
  );
  const index = at === 'start' ? 0 : Number.MAX_SAFE_INTEGER;
  const words = ` at the ${at} of “${wanted}”`;
  return { file, list, index, words, sibling: at === 'start' ? inList[0] : inList.at(-1) };
}

export function titleOf(navigation: JsonNavigation, { page, title }: JsonEntry): string {
  if (page === undefined) return title ?? '';
  const file = navigation.fileOf(page);
  return (file === undefined ? undefined : navigation.titleOfFile(file)) ?? page;
}

function hintOf(entries: readonly JsonEntry[]): string {
  return titlesHint(
    entries.flatMap(({ page, title, crumbs }) =>
      page === undefined && title !== undefined ? [[...crumbs, title]] : [],
    ),
  );
}
