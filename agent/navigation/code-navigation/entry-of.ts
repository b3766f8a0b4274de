import type { StaticValue } from '../../../sites/code/static-value.ts';
import type { WrittenEntry } from './written-navigation.ts';

/** Where the parts of an entry are written. */
export type Places = {
  [K in 'slot' | 'value' | 'target' | 'label' | 'file' | 'ownPage']?: WrittenEntry[K] | undefined;
};

/** An entry with the members that are known. */
export function entryOf(
  type: WrittenEntry['type'],
  title: string,
  crumbs: readonly string[],
  places: Places,
  entries: WrittenEntry[] = [],
  literal?: WrittenEntry['literal'],
): WrittenEntry {
  const known = Object.fromEntries(
    Object.entries({ ...places, literal }).filter(([, value]) => value !== undefined),
  );
  return { type, title, crumbs, entries, ...known };
}

/** The array or object that a value is. */
export function literalOf(value: StaticValue | undefined) {
  return value?.kind === 'array' || value?.kind === 'object' ? value.literal : undefined;
}
