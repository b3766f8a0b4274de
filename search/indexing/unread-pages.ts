import { below } from '../../sites/kinds/paths.ts';
import type { SiteSource } from '../../sites/kinds/site-kind.ts';

/** Formats of pages that are not read. */
const FORMATS: readonly [name: string, ending: RegExp][] = [
  ['reStructuredText', /\.rst$/i],
  ['AsciiDoc', /\.(?:adoc|asciidoc)$/i],
];

/** One sentence on a folder's pages in formats that are not read; null: there are none. */
export function unreadPages(source: Pick<SiteSource, 'paths'>, docsFolder: string): string | null {
  const inFolder = source.paths.filter(path => below(docsFolder, path) !== undefined);
  const found = FORMATS.flatMap(([name, ending]) => {
    const { length } = inFolder.filter(path => ending.test(path));
    return length > 0 ? [`${length} ${name} ${length === 1 ? 'page' : 'pages'}`] : [];
  });
  if (found.length === 0) return null;
  const verb = found.length === 1 && found[0]?.startsWith('1 ') ? 'is' : 'are';
  return `${found.join(' and ')} ${verb} not read: only Markdown is.`;
}
