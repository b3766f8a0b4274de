import { changesOf, type StaticValue, unknownParts } from '../code/static-value.ts';
import type { Unread } from './site-kind.ts';

/** What of a configuration is not known: all of it, or what code changes in these values. */
export function unreadConfiguration(
  config: StaticValue | undefined,
  file: string,
  ...values: (StaticValue | undefined)[]
): Unread[] {
  const changed = changesOf(config, ...values).map(place => ({
    ...{ file: place.file, line: place.line },
    message: 'The configuration is changed by code.',
  }));
  if (config?.kind === 'object') return changed;
  const why = config?.kind === 'unknown' ? config.why : 'cannot be parsed';
  return [{ file, line: null, message: `The configuration ${why}.` }, ...changed];
}

/** A member that is a function, or the work of one: it decides what nobody can read. */
export function unreadFunction(value: StaticValue | undefined, what: string): Unread[] {
  if (value?.kind !== 'unknown') return [];
  return [{ file: value.file, line: value.line, message: `A function decides ${what}.` }];
}

/** Whether something that was not read may list pages in the navigation. */
export function mayListPages({ message }: Unread): boolean {
  return /sidebar|navigation|configuration|options of/i.test(message);
}

/** The parts of a sidebar that are computed. */
export function unreadParts(list: StaticValue | undefined, of = 'the sidebar'): Unread[] {
  return unknownParts(list).map(({ file, line, ...part }) => {
    const why = 'why' in part ? part.why : 'is computed';
    return { file, line, message: `A part of ${of} ${why}.` };
  });
}
