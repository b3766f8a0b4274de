import type { EntryList } from '../entry-lists/entry-list.ts';
import { markdownLists } from '../entry-lists/markdown-list.ts';
import { pageTitle } from '../page-title.ts';
import { below, folderOf, joinPath, nameOf } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import type { MkDocsConfig } from '../../../sites/kinds/mkdocs/config.ts';
import { textOf } from '../../../sites/values.ts';
import { navEntries } from './nav-list.ts';
import { memberOf, parsePlaces } from './yaml-text.ts';

/** How a MkDocs site writes its navigation. */
export interface NavSource {
  /** Files with lists. */
  lists: EntryList[];
  /** Why a file that has a list is not edited. */
  unread: string[];
  /** Pages that no list names are shown by their folders. */
  isByFolder: boolean;
}

export function readNavLists(source: SiteSource, site: Site, config: MkDocsConfig): NavSource {
  const titleOfFile = (file: string) => pageTitle(source, file);
  const pageFiles = new Set(site.pages.map(page => page.file));
  const unread: string[] = [];
  const yaml = (file: string, keys: string[], folder: string, crumbs: string[]): EntryList[] => {
    const text = source.read(file) ?? '';
    const document = parsePlaces(text);
    const node = keys.map(key => memberOf(document.contents, key)).find(one => one !== undefined);
    if (!node) return [];
    const { docsFolder } = config;
    const has = (path: string) => pageFiles.has(path);
    const list = navEntries({ file, text, folder, docsFolder, has, crumbs, titleOfFile }, node);
    if (list && document.errors.length === 0) return [list];
    unread.push(`${file} cannot be edited: its list of pages is not written one entry a line`);
    return [];
  };
  const main = config.files.find(file => memberOf(parsed(source, file), 'nav') !== undefined);
  const { plugins } = config;
  const lists = main === undefined ? [] : yaml(main, ['nav'], config.docsFolder, []);
  if (plugins.has('literate-nav')) {
    for (const file of filesNamed(source, config, navFileName(config)))
      lists.push(
        ...markdownLists({
          file,
          text: source.read(file) ?? '',
          crumbs: crumbsOf(site, folderOf(file), config.docsFolder),
          titleOfFile,
          hasParts: false,
          allowsBareLinks: false,
          allowsPlainGroups: true,
        }),
      );
    return { lists, unread, isByFolder: lists.length === 0 };
  }
  const isByFolder = plugins.has('awesome-nav') || plugins.has('awesome-pages');
  if (isByFolder && main === undefined)
    for (const file of filesNamed(source, config, optionsFileName(config)))
      lists.push(
        ...yaml(
          file,
          ['nav', 'arrange'],
          folderOf(file),
          crumbsOf(site, folderOf(file), config.docsFolder),
        ),
      );
  return { lists, unread, isByFolder: isByFolder || main === undefined };
}

/** Files that hold navigation besides the configuration. */
export function navFiles(source: SiteSource, config: MkDocsConfig): string[] {
  if (config.plugins.has('literate-nav')) return filesNamed(source, config, navFileName(config));
  if (config.plugins.has('awesome-nav') || config.plugins.has('awesome-pages'))
    return filesNamed(source, config, optionsFileName(config));
  return [];
}

function navFileName({ plugins }: MkDocsConfig): string {
  return textOf(plugins.get('literate-nav')?.nav_file) ?? 'SUMMARY.md';
}

function optionsFileName({ plugins }: MkDocsConfig): string {
  return plugins.has('awesome-nav')
    ? (textOf(plugins.get('awesome-nav')?.filename) ?? '.nav.yml')
    : (textOf(plugins.get('awesome-pages')?.filename) ?? '.pages');
}

function filesNamed(source: SiteSource, config: MkDocsConfig, name: string): string[] {
  return source.paths
    .filter(path => nameOf(path) === name && below(config.docsFolder, path) !== undefined)
    .toSorted((a, b) => a.split('/').length - b.split('/').length);
}

function parsed(source: SiteSource, file: string): unknown {
  return parsePlaces(source.read(file) ?? '').contents;
}

/** The titles above what a folder's own list names, told by a page that is right in the folder. */
function crumbsOf(site: Site, folder: string, docsFolder: string): string[] {
  if (folder === docsFolder) return [];
  const item = site.navigation.find(one => one.file !== undefined && folderOf(one.file) === folder);
  const own = joinPath(folder) ?? folder;
  return item?.crumbs ?? (below(docsFolder, own) ?? own).split('/');
}
