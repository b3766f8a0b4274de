import { below, folderOf, isExternal, joinPath, sitePathOf, splitUrl } from './paths.ts';
import type { SiteLink, SitePage, SiteSource } from './site-kind.ts';

export interface LinkRules {
  source: SiteSource;
  pages: readonly SitePage[];
  docsFolder: string;
  basePath: string;
  /** Files, best first, that a path below the docs folder may mean: `a` is `a.md`, `a/index.md`. */
  candidates(path: string): string[];
  /** Site paths that are answered without a file; `/api/*` covers everything below. */
  generated: readonly string[];
  /** Folders whose files are served at the site's root, such as `static`. */
  staticFolders?: readonly string[];
  /** Whether a path without leading slash is read against the page's address, not its file. */
  relativeToAddress?: boolean;
  /** Paths of pages are in lower case, and links may be written otherwise. */
  ignoresCase?: boolean;
  /** A relative link may lead out of the docs folder, to a site beside this one. */
  leavesSite?: boolean;
  /** Links that the generator leaves alone, such as absolute ones in MkDocs. */
  unchecked?(path: string): boolean;
}

/** Resolves links by the rules that most generators share. */
export function linkResolver(rules: LinkRules): (url: string, file: string) => SiteLink {
  const byFile = new Map(rules.pages.map(page => [page.file, page]));
  const byPath = new Map(rules.pages.map(page => [page.path, page]));
  const isGenerated = pathTest(rules.generated);
  return (url, file) => {
    if (isExternal(url) || /[{}]/.test(url)) return { kind: 'external' };
    const { path, anchor } = splitUrl(url);
    const from = byFile.get(file);
    if (path === '') return from ? { kind: 'page', page: from, anchor } : { kind: 'unchecked' };
    if (rules.unchecked?.(path)) return { kind: 'unchecked' };
    const found = path.startsWith('/')
      ? (bySitePath(path) ?? byFilePath(joinPath(rules.docsFolder, path)))
      : (byFilePath(joinPath(folderOf(file), path)) ??
        (rules.relativeToAddress && from ? bySitePath(addressed(from, path)) : undefined));
    if (found && 'file' in found && 'path' in found) return { kind: 'page', page: found, anchor };
    if (!found && rules.leavesSite && leaves(path, file)) return { kind: 'unchecked' };
    return found ?? { kind: 'missing', path };
  };

  function leaves(path: string, file: string): boolean {
    const folder = folderOf(below(rules.docsFolder, file) ?? file);
    return !path.startsWith('/') && joinPath(folder, path) === undefined;
  }

  function bySitePath(path: string): SitePage | SiteLink | undefined {
    const own =
      rules.basePath === '/' ? path : (below(rules.basePath.slice(1), path.slice(1)) ?? path);
    const clean = sitePathOf(own.replace(/\.html?$/, '').replace(/(^|\/)index$/, '$1'));
    const page =
      byPath.get(clean) ??
      byPath.get(sitePathOf(own)) ??
      (rules.ignoresCase ? byPath.get(clean.toLowerCase()) : undefined);
    if (page) return page;
    if (isGenerated(clean)) return { kind: 'route', path: clean };
    const file = (rules.staticFolders ?? [])
      .map(folder => joinPath(folder, own))
      .find(one => one !== undefined && (rules.source.has(one) || rules.source.hasFolder(one)));
    return file === undefined ? undefined : { kind: 'file', file };
  }

  function byFilePath(path: string | undefined): SitePage | SiteLink | undefined {
    if (path === undefined) return undefined;
    const page = [path, ...rules.candidates(path)].map(one => byFile.get(one)).find(Boolean);
    if (page) return page;
    return rules.source.has(path) || rules.source.hasFolder(path)
      ? { kind: 'file', file: path }
      : undefined;
  }
}

/** A browser reads `x` on `/a/b/` as `/a/b/x` and on `/a/b` as `/a/x`. */
function addressed(from: SitePage, path: string): string {
  const folder = from.url.endsWith('/') ? from.path : folderOf(from.path);
  return sitePathOf(folder, path);
}

/** A test for site paths by a list in which `/x/*` covers everything below. */
export function pathTest(paths: readonly string[]): (path: string) => boolean {
  const exact = new Set(paths.filter(path => !path.includes('*')));
  const prefixes = paths.filter(path => path.endsWith('/*')).map(path => path.slice(0, -1));
  return path => exact.has(path) || prefixes.some(prefix => path.startsWith(prefix));
}
