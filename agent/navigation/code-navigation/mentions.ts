import { asString, type StaticValue } from '../../../sites/code/static-value.ts';
import type { Mention } from './written-navigation.ts';

/** Every text of members with these names that names a page. */
export function mentionsIn(
  value: StaticValue | undefined,
  names: readonly string[],
  fileOf: (text: string) => string | undefined,
): Mention[] {
  if (value?.kind === 'array') return value.items.flatMap(one => mentionsIn(one, names, fileOf));
  if (value?.kind !== 'object') return [];
  return [...value.members].flatMap(([name, inner]): Mention[] => {
    const text = names.includes(name) ? asString(inner) : undefined;
    const file = text === undefined ? undefined : fileOf(text);
    const target = value.slots.get(name);
    if (file !== undefined && target) return [{ file, target }];
    return mentionsIn(inner, names, fileOf);
  });
}
