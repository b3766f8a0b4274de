import type { Editing, Refusal } from './editing.ts';
import { entriesBelow, type WrittenList, type WrittenNavigation } from './written-navigation.ts';

/** The page of every entry that is written out, as often as it is named. */
export function filesIn({ lists }: { lists: readonly WrittenList[] }): string[] {
  return lists.flatMap(list =>
    [...entriesBelow(list.entries)].flatMap(({ slot, file }) =>
      slot && file !== undefined ? [file] : [],
    ),
  );
}

/**
 * Reads what an edit has written: the navigation must name these pages and no others. A list that
 * is used in two places, or a link that depends on where it stands, is found here.
 */
export function hasChangedAs(
  { read }: Editing,
  before: WrittenNavigation,
  expected: readonly string[],
  what: string,
): Refusal {
  const after = read();
  const isSame = filesIn(after).toSorted().join('\n') === expected.toSorted().join('\n');
  if (isSame && after.unread.length === before.unread.length) return undefined;
  return {
    refused:
      `If ${what}, other entries would change as well: the list is used in several places, or its ` +
      'entries depend on where they stand. Nothing was edited; a person has to change ' +
      `${before.files.join(', ')}.`,
  };
}
