import { siteSource } from './source.ts';
import type { SiteSource } from './site-kind.ts';

/**
 * A source with other texts for some files; null takes a file away. What the base has of the other
 * files is used again.
 */
export function overlaid(base: SiteSource, edits: ReadonlyMap<string, string | null>): SiteSource {
  const paths = base.paths.filter(path => edits.get(path) !== null);
  for (const [path, text] of edits)
    if (text !== null && base.read(path) === undefined) paths.push(path);
  const source = siteSource(paths, path => edits.get(path) ?? base.read(path));
  return {
    ...source,
    has: path => (edits.has(path) ? edits.get(path) !== null : base.has(path)),
    outline: (path, syntax) => (edits.has(path) ? source : base).outline(path, syntax),
  };
}
