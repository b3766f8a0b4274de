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
  const files = new Set(paths);
  const folders = new Set<string>(['']);
  for (const path of paths) {
    for (
      let at = path.lastIndexOf('/');
      at > 0 && !folders.has(path.slice(0, at));
      at = path.lastIndexOf('/', at - 1)
    )
      folders.add(path.slice(0, at));
  }
  return { docsFolder, has: path => files.has(path), hasFolder: path => folders.has(path) };
}

/**
 * Where `url`, written in file `from`, leads: `./install.md`, `install`, `/guides/install#x`, `#x`.
 * A path that begins with a slash is the site's, else the repository's. `path` is what it names
 * without its query, also when no such file exists, as a repository path without leading slash.
 */
export function resolveLink(url: string, from: string, site: SiteFiles): LinkTarget {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url) || url.includes('{')) return { kind: 'external' };
  const [, rawPath = '', rawAnchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(url) ?? [];
  const anchor = rawAnchor === undefined || rawAnchor === '' ? null : decode(rawAnchor);
  if (rawPath === '') return { kind: 'internal', path: from, file: from, anchor };

  const wanted = decode(rawPath);
  const folder = from.split('/').slice(0, -1).join('/');
  const bases = wanted.startsWith('/') ? [site.docsFolder, ''] : [folder];
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
  const parent = site.docsFolder.split('/').slice(0, -1).join('/');
  for (const base of new Set([site.docsFolder, parent, ''])) {
    for (const folder of STATIC_FOLDERS) {
      const path = joinPath(base === '' ? folder : `${base}/${folder}`, wanted);
      if (path !== undefined && site.has(path)) return path;
    }
  }
  return undefined;
}

/** Undefined if `..` leads out of the repository. */
function joinPath(base: string, path: string): string | undefined {
  const parts = base === '' ? [] : base.split('/');
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
