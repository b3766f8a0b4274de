import { getNodeValue } from 'jsonc-parser';
import { firstTitle } from '../../outline/page-outline.ts';
import { objectOf, textOf } from '../../values.ts';
import { onceForEach } from '../includes.ts';
import { below, folderOf, joinPath, nameOf } from '../paths.ts';
import type { NavigationItem, SitePage, SiteSource } from '../site-kind.ts';
import {
  folderTitle,
  isInside,
  linkOf,
  metaFile,
  metaList,
  metaName,
  metaText,
} from './meta-files.ts';

/**
 * The navigation that the files of folders write out, from the outermost ones on; pages that it
 * leaves out are marked.
 */
export function metaNavigation(
  source: SiteSource,
  files: readonly string[],
  generator: string,
  pages: readonly SitePage[],
): NavigationItem[] {
  const reader = new MetaReader(source, generator, pages);
  const folders = new Set(files.map(folderOf));
  for (const folder of folders) if (!isInside(folder, folders)) reader.folder(folder, []);
  return reader.items;
}

class MetaReader {
  readonly items: NavigationItem[] = [];
  readonly #source: SiteSource;
  readonly #generator: string;
  readonly #textOf: (folder: string) => Record<string, unknown>;
  /** By path without ending and language. */
  readonly #pages = new Map<string, SitePage[]>();
  /** Names of the pages and folders in each folder. */
  readonly #folders = new Map<string, Set<string>>();
  readonly #visited = new Set<string>();

  constructor(source: SiteSource, generator: string, pages: readonly SitePage[]) {
    this.#source = source;
    this.#generator = generator;
    this.#textOf = onceForEach(folder => metaText(source, folder, generator));
    for (const page of pages) {
      page.inNavigation = false;
      let path = joinPath(folderOf(page.file), metaName(source, page.file)) ?? '';
      const same = this.#pages.get(path);
      if (same) same.push(page);
      else this.#pages.set(path, [page]);
      for (; path !== ''; path = folderOf(path)) {
        const inside = this.#folders.get(folderOf(path)) ?? new Set();
        this.#folders.set(folderOf(path), inside.add(nameOf(path)));
      }
    }
  }

  /** Each folder once, however often it is named. */
  folder(folder: string, crumbs: string[]): void {
    if (this.#visited.has(folder)) return;
    this.#visited.add(folder);
    const entries = metaList(this.#source, metaFile(folder, this.#generator))?.entries;
    const listed = new Set(entries?.map(({ name }) => name.replace(/^!?(?:\.\/)?/, '')));
    const rest = [...(this.#folders.get(folder) ?? [])]
      .filter(name => !listed.has(name))
      .toSorted();
    // The page of the folder itself is a link of its title.
    if (rest.includes('index')) this.#page(joinPath(folder, 'index'), crumbs);
    for (const { name, value } of entries ?? [{ name: '...', value: undefined }]) {
      const { display, href, title } = objectOf(value && getNodeValue(value));
      const link = linkOf(name);
      const address = textOf(href) ?? link?.address;
      if (address !== undefined)
        this.items.push({ title: textOf(title) ?? link?.label ?? name, href: address, crumbs });
      else if (display !== 'hidden') this.#entry(folder, name, rest, crumbs);
    }
    // Nextra puts what is not listed at the end.
    if (this.#generator === 'Nextra' && entries) this.#entry(folder, '...', rest, crumbs);
  }

  /** Takes from `rest` what an entry for all the others stands for. */
  #entry(folder: string, name: string, rest: string[], crumbs: string[]): void {
    const all = name === '...' || name === 'z...a' ? rest.splice(0) : [name];
    for (const one of name === 'z...a' ? all.toReversed() : all) {
      const extracted = /^\.\.\.(.+)$/.exec(one)?.[1];
      const path = joinPath(folder, extracted ?? one);
      if (path === undefined) continue;
      if (extracted === undefined) this.#page(path, crumbs);
      if (!this.#folders.has(path) || below(folder, path) === undefined) continue;
      const title = folderTitle(this.#textOf, path, this.#generator);
      this.folder(path, extracted === undefined ? [...crumbs, title] : crumbs);
    }
  }

  #page(path: string | undefined, crumbs: string[]): void {
    for (const page of this.#pages.get(path ?? '') ?? []) {
      if (page.inNavigation) continue;
      const outline = this.#source.outline(page.file);
      const title = textOf(outline.frontMatter.title) ?? firstTitle(outline) ?? nameOf(path ?? '');
      Object.assign(page, { inNavigation: true, title, crumbs });
      this.items.push({ title, path: page.path, file: page.file, crumbs });
    }
  }
}
