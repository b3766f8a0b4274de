import { behindPlugins } from '../link-plugins.ts';
import { pathTest } from '../links.ts';
import { below, folderOf, isExternal, joinPath, sitePathOf, splitUrl } from '../paths.ts';
import type { Site, SiteLink, SitePage, SiteSource } from '../site-kind.ts';
import type { DocusaurusConfig } from './config.ts';
import type { Doc } from './docs.ts';

type LinkedPage = SitePage & Partial<Pick<Doc, 'docsVersion'>>;

/** As Docusaurus: `.md` paths name files, anything else is read against the page's address. */
export function resolver(
  source: SiteSource,
  config: DocusaurusConfig,
  pages: readonly LinkedPage[],
  generated: readonly string[],
): Site['resolve'] {
  const byFile = new Map(pages.map(page => [page.file, page]));
  const byPath = new Map(pages.map(page => [page.path, page]));
  const isRoute = pathTest(generated);
  const base = sitePathOf(config.baseUrl);
  return behindPlugins(source, config.marker, (url, file): SiteLink => {
    if (isExternal(url) || /[{}]|^@@|^pathname:/.test(url)) return { kind: 'external' };
    const { path, anchor } = splitUrl(url);
    const from = byFile.get(file);
    // A redirect is written in the configuration, and a partial is read where it lies.
    if (!from && !path.startsWith('/')) {
      const page = byFile.get(joinPath(folderOf(file), path) ?? '');
      return page ? { kind: 'page', page, anchor } : { kind: 'unchecked' };
    }
    if (path === '') return from ? { kind: 'page', page: from, anchor } : { kind: 'unchecked' };
    const named = /\.mdx?$/.test(path) ? fileNamed(path, from, config, byFile) : undefined;
    if (named) return { kind: 'page', page: named, anchor };
    const asset = assetNamed(path, file, config, source);
    if (asset !== undefined) return { kind: 'file', file: asset };
    const folder = from?.url.endsWith('/') ? from.path : folderOf(from?.path ?? '');
    const absolute = path.startsWith('/') ? sitePathOf(path) : sitePathOf(folder, path);
    const route =
      path.startsWith('/') && base !== '/'
        ? `/${below(base.slice(1), absolute.slice(1)) ?? absolute.slice(1)}`
        : absolute;
    const page = byPath.get(route) ?? byPath.get(route.replace(/\.html$/, ''));
    if (page) return { kind: 'page', page, anchor };
    return isRoute(route) ? { kind: 'route', path: route } : { kind: 'missing', path };
  });
}

/** Relative to the file, to the docs folder, or to the site. */
function fileNamed(
  path: string,
  from: LinkedPage | undefined,
  config: DocusaurusConfig,
  byFile: ReadonlyMap<string, LinkedPage>,
): SitePage | undefined {
  const contentFolder = from?.docsVersion?.folder ?? config.root;
  const candidates = path.startsWith('@site/')
    ? [joinPath(config.root, path.slice('@site/'.length))]
    : path.startsWith('/')
      ? [joinPath(config.root, path), joinPath(contentFolder, path)]
      : [
          joinPath(folderOf(from?.file ?? ''), path),
          joinPath(contentFolder, path),
          joinPath(config.root, path),
        ];
  return candidates.map(one => byFile.get(one ?? '')).find(one => one !== undefined);
}

/** A file beside the page, in `static`, or named from the site's folder. */
function assetNamed(
  path: string,
  file: string,
  config: DocusaurusConfig,
  source: SiteSource,
): string | undefined {
  const candidates = path.startsWith('@site/')
    ? [joinPath(config.root, path.slice('@site/'.length))]
    : path.startsWith('/')
      ? [joinPath(config.root, 'static', path), joinPath(config.root, path)]
      : [joinPath(folderOf(file), path)];
  return candidates.find(one => one !== undefined && source.has(one));
}
