import { itemsOf, type StaticValue } from '../code/static-value.ts';
import { linearPattern, pathMatcher } from '../glob.ts';

/** Whether the site's own build leaves a link as it is, and does not look where it leads. */
export type LeavesOut = (link: string) => boolean;

/** By patterns as regular expressions; what cannot be compiled may match anything. */
export function leftOutByPatterns(sources: readonly string[]): LeavesOut {
  const patterns = sources.map(linearPattern);
  return link => patterns.some(pattern => !pattern || pattern.matcher(link).find());
}

/**
 * By a list of a configuration: equal texts (`globs`: or globs) and regular expressions. What only
 * running it could tell may leave out any link.
 */
export function leftOutByList(value: StaticValue | undefined, isGlobs = false): LeavesOut {
  if (value === undefined || value.kind === 'literal') return () => false;
  if (value.kind !== 'array') return () => true;
  const tests = itemsOf(value).map((item): LeavesOut => {
    if (item.kind === 'regex') return leftOutByPatterns([item.source]);
    if (item.kind !== 'literal') return () => true;
    const text = String(item.value);
    const matches = isGlobs ? pathMatcher(text, { dot: true }) : undefined;
    return link => link === text || (matches?.(link) ?? false);
  });
  return link => tests.some(test => test(link));
}
