import { lineNaming } from './line-of.ts';
import { listOf, objectOf, textOf } from '../values.ts';
import { redirectFinder } from '../navigation.ts';
import { cleanSitePath } from '../page-path.ts';
import { joinPath, withBase } from './paths.ts';
import { parseToml } from './toml.ts';
import type { Site, SiteRedirect, SiteSource } from './site-kind.ts';

/**
 * Redirects of a `_redirects` file in served folders, as Netlify and Cloudflare read it, and of a
 * `netlify.toml` beside the site's configuration or at the top. A rule with a status such as 404
 * only names the page for what is missing.
 */
export function readHostRedirects(
  source: SiteSource,
  servedFolders: readonly string[],
  root: string,
): SiteRedirect[] {
  const files = new Set([
    ...servedFolders.map(folder => joinPath(folder, '_redirects') ?? ''),
    // Templates from which Hugo makes that file: lines that are written out are read.
    ...TEMPLATES.map(name => joinPath(root, 'layouts', name) ?? ''),
  ]);
  const configurations = new Set([joinPath(root, 'netlify.toml') ?? '', 'netlify.toml']);
  return [
    ...[...files].flatMap(file => listedRedirects(source, file)),
    ...[...configurations].flatMap(file => netlifyRedirects(source, file)),
  ];
}

const TEMPLATES = ['index.redirects', 'home.redirects'];

/** The site with what its host redirects: a link there is not dead. */
export function withHostRedirects<S extends Site>(source: SiteSource, site: S): S {
  const { root, docsFolder, basePath } = site;
  const folders = [`${root}/static`, `${root}/public`, root, `${docsFolder}/public`, docsFolder];
  // A pattern for everything is the way of a site to show its own page for what is missing.
  const isAll = (from: string) =>
    /^\/(?::\w+\/)?\*$/.test(from) || from === withBase(basePath, '/*');
  const found = readHostRedirects(source, folders, root).filter(({ from }) => !isAll(from));
  if (found.length === 0) return site;
  const movedTo = redirectFinder(found.map(({ from, to }) => ({ source: from, destination: to })));
  return {
    ...site,
    resolve(url, file) {
      const target = site.resolve(url, file);
      if (target.kind !== 'missing' || !url.startsWith('/')) return target;
      const path = cleanSitePath(url.replace(/[?#].*$/s, ''));
      const paths = [path, withBase(basePath, path)];
      const isMoved = paths.some(one => movedTo(one) !== undefined);
      return isMoved ? { kind: 'route', path } : target;
    },
  };
}

function listedRedirects(source: SiteSource, file: string): SiteRedirect[] {
  const lines = (source.read(file) ?? '').split('\n');
  return lines.flatMap((text, index) => {
    if (text.includes('{{')) return [];
    const [from, ...rest] = text
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    // What a query must say comes first: `/store id=:id /blog/:id 301`.
    const at = rest.findIndex(one => /^(?:\/|[a-z]+:)/i.test(one));
    const [to, status = ''] = at < 0 ? [] : rest.slice(at);
    if (!from?.startsWith('/') || to === undefined || isMissing(status)) return [];
    return [{ from, to, file, line: index + 1 }];
  });
}

function netlifyRedirects(source: SiteSource, file: string): SiteRedirect[] {
  const text = source.read(file);
  if (text === undefined) return [];
  const { redirects } = parseToml(text, file);
  return listOf(redirects).flatMap(one => {
    const { from, to, status } = objectOf(one);
    const [path, target] = [textOf(from), textOf(to)];
    if (!path?.startsWith('/') || target === undefined || isMissing(String(status))) return [];
    return [{ from: path, to: target, file, line: lineNaming(text, path, /^\[\[redirects/m) }];
  });
}

/** `404` and its like show a page for what is missing. */
function isMissing(status: string): boolean {
  return /^4\d\d/.test(status);
}
