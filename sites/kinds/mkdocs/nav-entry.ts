import { below, folderOf } from '../paths.ts';
import type { SiteSource } from '../site-kind.ts';
import type { MkDocsConfig } from './config.ts';
import type { MkDocsPage } from './pages.ts';

/** An entry before it is flattened. A section has children; a page or link has a target. */
export interface NavEntry {
  title: string | undefined;
  target?: string;
  children?: NavEntry[];
  /** The folder that the section is made from. */
  folder?: string;
  line?: number;
}

/** What the readers of the several ways to write a navigation share. */
export interface NavContext {
  source: SiteSource;
  config: MkDocsConfig;
  /** Pages by their path below the docs folder. */
  pages: ReadonlyMap<string, MkDocsPage>;
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
