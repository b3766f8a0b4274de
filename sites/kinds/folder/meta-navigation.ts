import { getNodeValue } from 'jsonc-parser';
import { firstTitle } from '../../outline/page-outline.ts';
import { objectOf, textOf } from '../../values.ts';
import { folderOf, joinPath, nameOf } from '../paths.ts';
import type { NavigationItem, SitePage, SiteSource } from '../site-kind.ts';
import { folderTitle, metaFile, metaList, metaName } from './meta-files.ts';

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
  const folders = files.map(folderOf);
  const isTop = (folder: string) =>
    !folders.some(one => one !== folder && (one === '' || folder.startsWith(`${one}/`)));
  for (const folder of new Set(folders.filter(isTop))) reader.folder(folder, []);
  return reader.items;
}

class MetaReader {
  readonly items: NavigationItem[] = [];
  readonly #source: SiteSource;
  readonly #generator: string;
  readonly #pages = new Map<string, SitePage[]>();
  readonly #folders = new Map<string, Set<string>>();

  constructor(source: SiteSource, generator: string, pages: readonly SitePage[]) {
    this.#source = source;
    this.#generator = generator;
    for (const page of pages) {
      page.inNavigation = false;
      let folder = folderOf(page.file);
      this.#pages.set(folder, [...(this.#pages.get(folder) ?? []), page]);
      for (; folder !== ''; folder = folderOf(folder)) {
        const inside = this.#folders.get(folderOf(folder)) ?? new Set();
        this.#folders.set(folderOf(folder), inside.add(folder));
      }
    }
  }

  folder(folder: string, crumbs: string[]): void {
    const entries = metaList(this.#source, metaFile(folder, this.#generator))?.entries;
    const inside = [...(this.#folders.get(folder) ?? [])].map(nameOf);
    const names = [...(this.#pages.get(folder) ?? []).map(page => metaName(page.file)), ...inside];
    const listed = new Set(entries?.map(({ name }) => name.replace(/^!/, '')));
    const rest = [...new Set(names)].filter(name => !listed.has(name)).toSorted();
    // The page of the folder itself is a link of its title.
    if (rest.includes('index')) this.#page(folder, 'index', crumbs);
    for (const { name, value } of entries ?? [{ name: '...', value: undefined }]) {
      const { display, href } = objectOf(value && getNodeValue(value));
      const address = textOf(href) ?? /^(?:external:)?\[.*\]\((.*)\)$/.exec(name)?.[1];
      if (address !== undefined) this.items.push({ title: name, href: address, crumbs });
      else if (display !== 'hidden') this.#entry(folder, name, rest, crumbs);
    }
    // Nextra puts what is not listed at the end.
    if (this.#generator === 'Nextra' && entries) this.#entry(folder, '...', rest, crumbs);
  }

  #entry(folder: string, name: string, rest: readonly string[], crumbs: string[]): void {
    const all = name === '...' ? rest : name === 'z...a' ? rest.toReversed() : [name];
    for (const one of all) {
      const extracted = /^\.\.\.(.+)$/.exec(one)?.[1];
      const inner = joinPath(folder, extracted ?? one) ?? '';
      if (extracted === undefined) this.#page(folder, one, crumbs);
      if (!this.#folders.get(folder)?.has(inner)) continue;
      const title = folderTitle(this.#source, inner, this.#generator);
      this.folder(inner, extracted === undefined ? [...crumbs, title] : crumbs);
    }
  }

  #page(folder: string, name: string, crumbs: string[]): void {
    for (const page of this.#pages.get(folder) ?? []) {
      if (metaName(page.file) !== name || page.inNavigation) continue;
      const outline = this.#source.outline(page.file);
      const title = textOf(outline.frontMatter.title) ?? firstTitle(outline) ?? name;
      Object.assign(page, { inNavigation: true, title, crumbs });
      this.items.push({ title, path: page.path, file: page.file, crumbs });
    }
  }
}
