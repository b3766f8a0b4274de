import type { Editing } from './editing.ts';
import type { WrittenEntry } from './written-navigation.ts';

/**
 * Gives a page a place among those that the generator sorts by number: between its neighbours. If
 * they have no numbers, says so and changes nothing.
 */
export function placeByNumber(
  editing: Editing,
  file: string,
  siblings: readonly WrittenEntry[],
  at: number,
): void {
  const nav = editing.read();
  const numbers = siblings
    .filter(one => one.file !== file)
    .map(one => (one.file === undefined ? undefined : nav.numberOf(one.file)));
  const own = siblings.findIndex(one => one.file === file);
  const index = own >= 0 && own < at ? at - 1 : at;
  const number = between(numbers[index - 1], numbers[index], index > 0, index < numbers.length);
  const text = number === undefined ? undefined : nav.placeInFolder(file, number, editing.draft);
  if (number === undefined || text === undefined) {
    editing.left.push(
      `${file} has no number to place it by: the pages beside it are sorted by name. Rename the ` +
        'file, or give the pages numbers in their front matter',
    );
    return;
  }
  editing.draft.write(file, text);
  editing.done.push(`The front matter of ${file} places it as number ${number}.`);
}

/** A number between two; pages without one come last. */
function between(
  before: number | undefined,
  after: number | undefined,
  hasBefore: boolean,
  hasAfter: boolean,
): number | undefined {
  if (hasBefore && before === undefined) return undefined;
  if (before !== undefined && after !== undefined)
    return after - before > 1 ? Math.floor(before) + 1 : (before + after) / 2;
  if (before !== undefined) return Math.floor(before) + 1;
  if (after !== undefined) return after > 1 ? Math.ceil(after) - 1 : after / 2;
  return hasAfter ? 1 : undefined;
}
