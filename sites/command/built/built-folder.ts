import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readHostRedirects } from '../../kinds/host-redirects.ts';
import { withBase } from '../../kinds/paths.ts';
import { siteSource } from '../../kinds/source.ts';
import type { SiteRedirect } from '../../kinds/site-kind.ts';
import { linkedPaths } from '../../linked-paths.ts';
import { CannotCheck } from '../check-options.ts';
import { type BuiltPage, readBuiltPage } from './built-page.ts';
import { type BuiltSite, isWithin, targetOf } from './built-site.ts';

/**
 * The output of a site's build, as a host serves it. `basePath`: that of its configuration, if it is
 * known. Throws `CannotCheck` if there is none.
 */
export function builtFolder(folder: string, basePath: string): BuiltSite {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CannotCheck(`There is no folder ${folder} with a built site.`);
  const files = new Set(filesOf(folder));
  const pages = new Map<string, BuiltPage>();
  for (const file of files)
    if (/\.html?$/i.test(file))
      pages.set(addressOf(file), readBuiltPage(readFileSync(join(folder, file), 'utf8')));
  if (pages.size === 0) throw new CannotCheck(`${folder} contains no HTML pages.`);
  const redirects = redirectsIn(folder, files);
  const isRedirected = redirectTest(redirects);
  const at = (path: string): ReturnType<BuiltSite['at']> => {
    const file = servedFile(files, path);
    if (file === undefined) return isRedirected(path) ? 'file' : undefined;
    return /\.html?$/i.test(file) ? { page: addressOf(file) } : 'file';
  };
  const base = likelyBase(pages, at, basePath);
  if (base === '/') return { pages, redirects, basePath: base, at };
  const above = (address: string) => withBase(base, address);
  return {
    pages: new Map([...pages].map(([address, page]) => [above(address), page])),
    redirects,
    basePath: base,
    at: path => {
      const found = at(path.slice(base.length) || '/');
      return typeof found === 'object' ? { page: above(found.page) } : found;
    },
  };
}

/**
 * Also what is behind symbolic links, such as `latest` of mike; not behind those that lead out of the
 * folder or to nothing.
 */
function filesOf(folder: string): string[] {
  const real = realpathSync(folder);
  const files: string[] = [];
  const links = new Map<string, string>();
  for (const entry of readdirSync(real, { recursive: true, withFileTypes: true })) {
    const path = slashed(relative(real, join(entry.parentPath, entry.name)));
    // A name that is not Unicode cannot be asked for.
    if (path.includes('\ufffd')) continue;
    if (entry.isFile()) files.push(path);
    else if (entry.isSymbolicLink()) {
      const target = linkedFrom(join(entry.parentPath, entry.name));
      if (target !== undefined) links.set(path, slashed(target));
    }
  }
  return [...files, ...linkedPaths(files, links).keys()];
}

/** Where a link ends, seen from its folder. */
function linkedFrom(link: string): string | undefined {
  try {
    return relative(dirname(link), realpathSync(link));
  } catch {
    return undefined;
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

/** `a/index.html` is `/a/`. */
function addressOf(file: string): string {
  return `/${file.replace(/(^|\/)index\.html?$/, '$1')}`;
}

/** The file that hosts serve for a path: most add the ending, all look into a folder. */
function servedFile(files: ReadonlySet<string>, path: string): string | undefined {
  const bare = path.replace(/^\/+/, '');
  const names = /(?:^|\/)$/.test(bare)
    ? [`${bare}index.html`, `${bare}index.htm`]
    : [bare, `${bare}.html`, `${bare}/index.html`];
  return names.find(name => files.has(name));
}

/** Those of the host, which the build copied. */
function redirectsIn(folder: string, files: ReadonlySet<string>): SiteRedirect[] {
  const source = siteSource([...files], path => readFileSync(join(folder, path), 'utf8'));
  return readHostRedirects(source, [''], '');
}

/** Whether a redirect answers a path. */
function redirectTest(redirects: readonly SiteRedirect[]): (path: string) => boolean {
  const froms = redirects.map(({ from }) => from);
  const exact = new Set(froms.filter(from => !/[*:]/.test(from)));
  const prefixes = froms.flatMap(from => /^(.*?\/)[*:]/.exec(from)?.[1] ?? []);
  return path =>
    exact.has(path) ||
    exact.has(path.replace(/(.)\/$/, '$1')) ||
    prefixes.some(prefix => path.startsWith(prefix));
}

/** Links on many pages are looked at once. */
const MOST_LINKS = 20_000;

/** The base path by which most links with a leading slash lead somewhere. */
function likelyBase(
  pages: ReadonlyMap<string, BuiltPage>,
  at: BuiltSite['at'],
  known: string,
): string {
  const paths = new Set<string>();
  for (const page of pages.values()) {
    for (const { url } of page.links)
      if (url.startsWith('/') && !url.startsWith('//'))
        paths.add(targetOf(url, '/', { ...page, base: undefined })?.path ?? '/');
    if (paths.size > MOST_LINKS) break;
  }
  const firsts = [...paths].flatMap(path => [
    /^\/[^/]+/.exec(path)?.[0] ?? '/',
    /^\/[^/]+\/[^/]+/.exec(path)?.[0] ?? '/',
  ]);
  const candidates = [...new Set([known, '/', ...mostFrequent(firsts, 10)])];
  const scores = candidates.map(base => {
    const own = base === '/' ? '' : base;
    // A link to the base itself finds the home page, whatever the base is.
    const below = [...paths].filter(path => path.length > own.length + 1 && isWithin(path, base));
    const found = below.filter(path => at(path.slice(own.length)) !== undefined);
    return { base, score: found.length };
  });
  return scores.toSorted((a, b) => b.score - a.score)[0]?.base ?? '/';
}

function mostFrequent(values: readonly string[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([value]) => value);
}
