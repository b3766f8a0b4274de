import { pathTest } from '../kinds/links.ts';
import { folderOf, joinPath, sitePathOf, splitUrl, withBase } from '../kinds/paths.ts';
import type { Site, SiteLink, SiteSource } from '../kinds/site-kind.ts';
import type { ApiReference } from './api-reference.ts';
import { ReferenceReader } from './reference-reader.ts';

/**
 * The site with the pages that it makes of the API descriptions that it names: links lead there, and
 * searches find them. Nothing is fetched: what cannot be known is named in `unread`.
 */
export function withApiPages<S extends Site>(
  source: SiteSource,
  site: S,
  references: readonly ApiReference[],
): S {
  if (references.length === 0) return site;
  const reader = new ReferenceReader(source, site, endingOf(site));
  for (const reference of references) reader.read(reference);
  const { pages, texts, embedded, templates } = reader;
  const isKnown = (file: string) => templates.has(file);
  return {
    ...site,
    apiPages: pages,
    apiTexts: texts,
    unread: [...site.unread.filter(({ file }) => !isKnown(file)), ...reader.unread],
    problems: [...site.problems, ...reader.problems],
    // The renderer adds headings of its own to the page.
    anchors: outline => (embedded.has(outline.file) ? null : site.anchors(outline)),
    resolve: resolverWith(site, reader),
  };
}

function resolverWith(site: Site, { pages, routes, templates }: ReferenceReader): Site['resolve'] {
  const isMade = pathTest([...pages.map(({ path }) => path), ...routes]);
  const folders = new Set([...templates.values()]);
  return (url, file): SiteLink => {
    const target = site.resolve(url, file);
    if (target.kind !== 'missing' && target.kind !== 'route') return target;
    const paths = pathsOf(url, file, site);
    const path = paths.find(isMade);
    if (path !== undefined) return { kind: 'route', path };
    // A template of dynamic routes answers for what it makes, and for nothing beside it.
    return paths.some(one => folders.has(sitePathOf(folderOf(one))))
      ? { kind: 'missing', path: splitUrl(url).path }
      : target;
  };
}

/** What the site writes behind the path of a page that is not a folder: `/`, `.html` or nothing. */
function endingOf({ pages, basePath }: Site): string {
  const counts = new Map<string, number>();
  for (const { file, path, url } of pages) {
    if (path === '/' || /(?:^|\/)(?:_?index|README)\.\w+$/i.test(file)) continue;
    const ending = url.slice(withBase(basePath, path).length);
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most && /^(?:\/|\.html)$/.test(most[0]) ? most[0] : '';
}

/** The site paths that a link may mean, without base path and ending. */
function pathsOf(url: string, file: string, site: Site): string[] {
  const { path } = splitUrl(url);
  const clean = path.replace(/\.(?:html?|mdx?)$/, '').replace(/(.)\/$/, '$1');
  const from = site.pages.find(page => page.file === file)?.path ?? '/';
  const base = site.basePath === '/' ? '' : site.basePath;
  if (!clean.startsWith('/'))
    return [from, folderOf(from)].map(folder => sitePathOf(joinPath(folder, clean) ?? ''));
  return [
    clean,
    ...(base !== '' && clean.startsWith(`${base}/`) ? [clean.slice(base.length)] : []),
  ];
}
