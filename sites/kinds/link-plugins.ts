import { importedFile } from '../code/resolve-import.ts';
import type { Site, SiteSource, Unread } from './site-kind.ts';

const IMPORT = /\bimport\s+(?:\{\s*)?(\w+)(?:\s*\})?\s+from\s+["'](\.[^"'\n]+)["']/g;
/** What gives a link another target. */
const CHANGES_LINKS = /\.(?:url|href)\s*=(?!=)|\bsetProperty\([^()]*["'](?:url|href)["']/;

/** Plugins for Markdown of the site's own that change where links lead. */
export function linkPlugins(source: SiteSource, file: string): Unread[] {
  const text = source.read(file) ?? '';
  const listed = Array.from(
    text.matchAll(/\b(?:remark|rehype|mdast|hast)Plugins\s*:\s*\[/gi),
    ({ index }) => text.slice(index, index + 2_000),
  ).join('\n');
  if (listed === '') return [];
  return Array.from(text.matchAll(IMPORT)).flatMap(([, name = '', specifier = '']) => {
    if (!new RegExp(`\\b${name}\\b`).test(listed)) return [];
    const plugin = importedFile(file, specifier, path => source.has(path));
    if (plugin === undefined || !CHANGES_LINKS.test(source.read(plugin) ?? '')) return [];
    return [{ file: plugin, line: null, message: 'This plugin changes where links lead.' }];
  });
}

/** Links that seem to lead nowhere may lead somewhere behind such a plugin. */
export function behindPlugins(
  source: SiteSource,
  file: string,
  resolve: Site['resolve'],
): Site['resolve'] {
  if (linkPlugins(source, file).length === 0) return resolve;
  return (url, from) => {
    const target = resolve(url, from);
    return target.kind === 'missing' ? { kind: 'unchecked' } : target;
  };
}
