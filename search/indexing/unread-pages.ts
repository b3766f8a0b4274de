import { below } from '../../sites/kinds/paths.ts';
import type { SiteSource } from '../../sites/kinds/site-kind.ts';

/** Formats of pages that are not read. */
const FORMATS: readonly [name: string, ending: RegExp][] = [
  ['reStructuredText', /\.rst$/i],
  ['AsciiDoc', /\.(?:adoc|asciidoc)$/i],
  ['notebook', /\.ipynb$/i],
  ['Quarto', /\.[qr]md$/i],
];

/**
 * One or two sentences on a folder's pages in formats that are not read; null: there are none.
 * `readAtSite`: files whose pages are read as the site publishes them.
 */
export function unreadPages(
  source: Pick<SiteSource, 'paths'>,
  docsFolder: string,
  readAtSite: ReadonlySet<string> | number = 0,
): string | null {
  const inFolder = source.paths.filter(path => below(docsFolder, path) !== undefined);
  const isRead = (path: string) => typeof readAtSite === 'object' && readAtSite.has(path);
  const found = FORMATS.flatMap(([name, ending]) => {
    const { length } = inFolder.filter(path => ending.test(path) && !isRead(path));
    return length > 0 ? [`${length} ${name} ${length === 1 ? 'page' : 'pages'}`] : [];
  });
  const read = typeof readAtSite === 'object' ? readAtSite.size : readAtSite;
  const verb = found.length === 1 && found[0]?.startsWith('1 ') ? 'is' : 'are';
  const sentences = [
    ...(read > 0
      ? [
          `${read} ${read === 1 ? 'page is' : 'pages are'} read as the site publishes them: they cannot be edited here.`,
        ]
      : []),
    ...(found.length > 0 ? [`${found.join(' and ')} ${verb} not read: only Markdown is.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}
