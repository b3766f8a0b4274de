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

/** The parts of a sidebar that are computed. */
export function unreadParts(list: StaticValue | undefined, of = 'the sidebar'): Unread[] {
  return unknownParts(list).map(({ file, line, ...part }) => {
    const why = 'why' in part ? part.why : 'is computed';
    return { file, line, message: `A part of ${of} ${why}.` };
  });
}
