import { below, folderOf, isExternal, joinPath } from '../paths.ts';
import type { NavigationItem, SiteProblem, SiteSource } from '../site-kind.ts';
import type { MkDocsConfig } from './config.ts';
import { folderNavigation } from './folder-navigation.ts';
import { literateNavigation } from './literate-navigation.ts';
import { type MkDocsPage, ownTitle } from './pages.ts';

/** An entry before it is flattened. A section has children; a page or link has a target. */
export interface NavEntry {
  title: string | undefined;
  target?: string;
  children?: NavEntry[];
  line?: number;
}

/** What the readers of the several ways to write a navigation share. */
export interface NavContext {
  source: SiteSource;
  config: MkDocsConfig;
  /** Pages by their path below the docs folder. */
  pages: ReadonlyMap<string, MkDocsPage>;
}

export function readNavigation(context: NavContext): {
  navigation: NavigationItem[];
  problems: SiteProblem[];
  files: string[];
} {
  const { entries, files, file } = entriesOf(context);
  const navigation: NavigationItem[] = [];
  const problems: SiteProblem[] = [];
  const visit = (list: readonly NavEntry[], crumbs: string[]): void => {
    for (const entry of list) {
      if (entry.children) visit(entry.children, [...crumbs, entry.title ?? '']);
      else if (entry.target !== undefined) {
        const item = itemOf(entry, entry.target, crumbs, context);
        if (item) navigation.push(item);
        else problems.push(missing(entry.target, file));
      }
    }
  };
  visit(entries, []);
  return { navigation, problems, files };
}

function entriesOf(context: NavContext): { entries: NavEntry[]; files: string[]; file: string } {
  const { config } = context;
  const file = config.files[0] ?? 'mkdocs.yml';
  const { nav } = config.settings;
  const written = Array.isArray(nav) ? nav.flatMap(entryOf) : undefined;
  if (config.plugins.has('literate-nav')) {
    const literate = literateNavigation(context, written);
    if (literate) return { ...literate, file };
  }
  const isByFolder = config.plugins.has('awesome-nav') || config.plugins.has('awesome-pages');
  if (written && !isByFolder) return { entries: written, files: [], file };
  return { ...folderNavigation(context, written), file };
}

/** `page.md`, `Title: page.md`, `Title: [ … ]`. */
export function entryOf(value: unknown): NavEntry[] {
  if (typeof value === 'string') return [{ title: undefined, target: value }];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).map(([title, inner]): NavEntry => {
    if (Array.isArray(inner)) return { title, children: inner.flatMap(entryOf) };
    return typeof inner === 'string' ? { title, target: inner } : { title, children: [] };
  });
}

function itemOf(
  { title }: NavEntry,
  target: string,
  crumbs: string[],
  { source, config, pages }: NavContext,
): NavigationItem | undefined {
  if (isExternal(target) || target.startsWith('/'))
    return { title: title ?? target, href: target, crumbs };
  const page = pages.get(joinPath(target) ?? target);
  if (page) {
    const shown = title ?? ownTitle(page, source.outline(page.file));
    return { title: shown, path: page.path, file: page.file, crumbs };
  }
  const file = joinPath(config.docsFolder, target);
  return file !== undefined && source.has(file)
    ? { title: title ?? target, href: target, crumbs }
    : undefined;
}

function missing(target: string, file: string): SiteProblem {
  const message = `The navigation names ${target}, which does not exist.`;
  return { rule: 'navigation', file, line: null, link: target, message };
}

/** Pages below a folder, each once, by folder: index first, then by name, then the folders. */
export function pagesBelow(folder: string, pages: ReadonlyMap<string, MkDocsPage>): string[] {
  return [...pages.keys()].filter(path => below(folder, path) !== undefined);
}

/** Names of the folders right below this one that hold pages. */
export function foldersBelow(folder: string, pages: ReadonlyMap<string, MkDocsPage>): string[] {
  const names = pagesBelow(folder, pages).flatMap(path => {
    const rest = below(folder, path) ?? '';
    return rest.includes('/') ? [rest.slice(0, rest.indexOf('/'))] : [];
  });
  return [...new Set(names)];
}

/** Pages right in this folder. */
export function pagesIn(folder: string, pages: ReadonlyMap<string, MkDocsPage>): string[] {
  return [...pages.keys()].filter(path => folderOf(path) === folder);
}
