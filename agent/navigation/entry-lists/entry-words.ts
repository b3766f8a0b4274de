import type { EntryList } from './entry-list.ts';
import { type FoundEntry, type Slot, titleOf } from './find-entry.ts';
import type { TextEdit } from './text-edits.ts';

/** What an edit of lists comes to, before the texts are made. */
export type Change = {
  edits: [list: EntryList, edit: TextEdit][];
  done: string[];
  left?: string[];
};

export function fixedLine({ list, entry }: FoundEntry): string {
  const line = list.text.slice(0, entry.span[0]).split('\n').length;
  return `${list.file}:${line} cannot be edited: ${entry.fixed ?? 'it is computed'}`;
}

export function counted(change: Change, verb: string): Change {
  const files = new Map<string, number>();
  for (const [{ file }] of change.edits) files.set(file, (files.get(file) ?? 0) + 1);
  const done = [...files].map(
    ([file, count]) =>
      `${count} navigation ${count === 1 ? 'entry' : 'entries'} in ${file} ${verb}.`,
  );
  return { ...change, done };
}

export function whereOf({ list, crumbs }: FoundEntry): string {
  return crumbs.length > 0 ? `${crumbs.join(' > ')} (${list.file})` : list.file;
}

export function besideOf({ beside }: Slot): string {
  if (!beside) return '';
  return ` ${beside.before ? 'before' : 'after'} “${titleOf(beside.found.entry)}”`;
}
