import { RE2JS } from 're2js';
import { linearPattern, pathMatcher } from '../../glob.ts';
import { basePathOf, below, joinPath, sitePathOf, withBase } from '../paths.ts';
import { UNPLACED } from '../navigation.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import type { VitePressConfig } from './config.ts';

export interface VitePressPage extends SitePage {
  /** Path below the docs folder after rewrites; links are resolved against it. */
  route: string;
}

/** Every page of the site; `dynamic` are route templates such as `[id].md`. */
export function readPages(
  source: SiteSource,
  config: VitePressConfig,
): { pages: VitePressPage[]; dynamic: string[]; excluded: string[] } {
  const isExcluded =
    config.exclude.length > 0 ? pathMatcher(config.exclude, { dot: true }) : () => false;
  const pages: VitePressPage[] = [];
  const dynamic: string[] = [];
  const excluded: string[] = [];
  for (const file of source.paths) {
    const path = below(config.docsFolder, file);
    if (path === undefined || !path.endsWith('.md')) continue;
    if (/(?:^|\/)(?:\.[^/]|node_modules\/|dist\/)/.test(path) || isExcluded(path))
      excluded.push(file);
    else if (/\[[^\]/]+\]/.test(path)) dynamic.push(file);
    else pages.push(pageAt(file, rewritten(path, config.rewrites ?? []), config));
  }
  return { pages, dynamic, excluded };
}

function pageAt(file: string, route: string, config: VitePressConfig): VitePressPage {
  const path = sitePathOf(route.replace(/(?:(^|\/)index)?\.md$/, '$1'));
  const isFolder = /(?:^|\/)index\.md$/.test(route);
  const written = isFolder
    ? `${path}/`.replace('//', '/')
    : `${path}${config.cleanUrls ? '' : '.html'}`;
  return {
    file,
    route,
    path,
    url: withBase(basePathOf(config.base), written),
    language: languageOf(path, config),
    ...UNPLACED,
  };
}

/** The key of the locale that a path belongs to. */
export function localeOf(path: string, config: VitePressConfig): string {
  const [first = ''] = path.slice(1).split('/');
  return config.locales.has(first) && first !== 'root' ? first : 'root';
}

function languageOf(path: string, config: VitePressConfig): string {
  return config.locales.get(localeOf(path, config)) ?? config.language;
}

/** The first pattern that matches decides: `en/:rest*` to `:rest*`. */
function rewritten(path: string, rewrites: [string, string][]): string {
  for (const [from, to] of rewrites) {
    const values = matched(from, path);
    if (!values) continue;
    const target = to.replace(/:(\w+)\*?/g, (_, name: string) => values.get(name) ?? '');
    return joinPath(target) ?? path;
  }
  return path;
}

/** What the names of a rewrite stand for in a path; its own expressions are the repository's. */
function matched(from: string, path: string): Map<string, string> | undefined {
  const names: string[] = [];
  let source = '';
  let at = 0;
  for (const part of from.matchAll(/(\/?):(\w+)(?:\(([^()]*)\))?(\*)?/g)) {
    const [whole, slash = '', name = '', own = '[^/]+', rest] = part;
    names.push(name);
    source += RE2JS.quote(from.slice(at, part.index));
    source += rest ? `(?:${slash}(.*))?` : `${slash}(${own})`;
    at = part.index + whole.length;
  }
  const matcher = linearPattern(source + RE2JS.quote(from.slice(at)))?.matcher(path);
  if (!matcher?.matches()) return undefined;
  return new Map(names.map((name, index) => [name, matcher.group(index + 1) ?? '']));
}
