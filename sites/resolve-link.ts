import { folderOf, isExternal, joinPath, splitUrl } from './kinds/paths.ts';
import { siteSource } from './kinds/source.ts';
import { candidateFiles } from './page-path.ts';

/** Where a link leads. `file` is the repository file, undefined if there is none. */
export type LinkTarget =
  | { kind: 'external' }
  | { kind: 'internal'; path: string; file: string | undefined; anchor: string | null };

/** What links are resolved against. */
export interface SiteFiles {
  docsFolder: string;
  has(path: string): boolean;
  /** Whether some file lies below this folder. */
  hasFolder(path: string): boolean;
}

/**
 * Folders whose files the site serves at its root: Docusaurus, VitePress, and sites that keep docs
 * beside them.
 */
const STATIC_FOLDERS = ['public', 'static', '.vitepress/public'];

/** Makes what links are resolved against from a list of paths. */
export function siteFiles(paths: readonly string[], docsFolder: string): SiteFiles {
  const { has, hasFolder } = siteSource(paths, () => undefined);
  return { docsFolder, has, hasFolder };
}

/**
 * Where `url`, written in file `from`, leads: `./install.md`, `install`, `/guides/install#x`, `#x`.
 * A path that begins with a slash is the site's, else the repository's. `path` is what it names
 * without its query, also when no such file exists, as a repository path without leading slash.
 */
export function resolveLink(url: string, from: string, site: SiteFiles): LinkTarget {
  if (isExternal(url) || url.includes('{')) return { kind: 'external' };
  const { path: wanted, anchor } = splitUrl(url);
  if (wanted === '') return { kind: 'internal', path: from, file: from, anchor };
  const bases = wanted.startsWith('/') ? [site.docsFolder, ''] : [folderOf(from)];
  const paths = bases.map(base => joinPath(base, wanted)).filter(path => path !== undefined);
  const [path] = paths;
  if (path === undefined) return { kind: 'internal', path: wanted, file: undefined, anchor };
  const file =
    paths.map(one => fileAt(one, site)).find(one => one !== undefined) ??
    (wanted.startsWith('/') ? staticFile(wanted, site) : undefined);
  return { kind: 'internal', path, file, anchor };
}

function fileAt(path: string, site: SiteFiles): string | undefined {
  if (site.has(path)) return path;
  const page = candidateFiles('', `/${path}`).find(candidate => site.has(candidate));
  return page ?? (site.hasFolder(path.replace(/\/$/, '')) ? path : undefined);
}

function staticFile(wanted: string, site: SiteFiles): string | undefined {
  for (const base of new Set([site.docsFolder, folderOf(site.docsFolder), ''])) {
    for (const folder of STATIC_FOLDERS) {
      const path = joinPath(base, folder, wanted);
      if (path !== undefined && site.has(path)) return path;
    }
  }
  return undefined;
}
