import { githubIds } from '../../outline/github-ids.ts';
import { firstTitle } from '../../outline/page-outline.ts';
import { sitePath } from '../../page-path.ts';
import { giveLanguages } from './languages.ts';
import {
  builtBySomething,
  type Generator,
  generatorOf,
  notKnown,
  seemsBuilt,
} from './generators.ts';
import { listedNavigation, listFile } from './list-file.ts';
import { metaFiles } from './meta-files.ts';
import { metaNavigation } from './meta-navigation.ts';
import { linkResolver } from '../links.ts';
import { below, folderOf, nameOf } from '../paths.ts';
import type { SiteKind } from '../kind.ts';
import type { SitePlace, Site, SitePage, SiteSource } from '../site-kind.ts';

/** A tree of Markdown files that no generator builds, as people read it on a repository host. */
export const folder: SiteKind<'folder'> = {
  name: 'folder',
  title: 'a plain folder',
  choice: 'Plain folder',
  isPlain: true,
  inFolder: (_source, root) => ({ root, marker: root }),
  find: source => {
    const marker = source.paths.find(path => /^docs\/.*\.mdx?$/.test(path));
    if (marker !== undefined) return [{ root: 'docs', marker }];
    const any = source.paths.find(path => /\.mdx?$/.test(path));
    return any === undefined ? [] : [{ root: '', marker: any }];
  },
  read: readFolder,
};

function readFolder(source: SiteSource, { root }: SitePlace): Site {
  const generator = generatorOf(source, root);
  const { pages, excluded } = readPages(source, root, generator !== undefined);
  const { files, isListed, navigation } = readNavigation(source, root, generator, pages);
  const resolve = linksOf(source, root, pages);
  const isBuilt = generator === undefined && seemsBuilt(pages, source, resolve);
  const isMyst = ['myst.yml', `${root}/myst.yml`].some(file => source.has(file));
  return {
    ownChecks: {
      links: 'stops',
      anchors: 'warns',
      orphans: 'none',
      elements: ['a', 'img'],
      images: true,
    },
    root,
    ...(generator && { generator: generator.name }),
    docsFolder: root,
    configFiles: generator ? [...new Set([generator.file, ...files])] : [],
    basePath: '/',
    address: null,
    addressRule: 'A page has the path of its file without the ending; README is its folder.',
    pages,
    navigation,
    ...(!isListed && { isListedByFolder: true }),
    redirects: [],
    generated: [],
    excluded,
    unread: generator
      ? [notKnown(generator, files.length > 0)]
      : isBuilt
        ? [builtBySomething(root)]
        : [],
    problems: [],
    outline: file => source.outline(file),
    headingIds: outline => githubIds(outline),
    // Labels of a MyST project may name anything on a page.
    anchors: outline =>
      isMyst || generator || isBuilt
        ? null
        : new Set([...githubIds(outline), ...outline.ids.map(id => id.toLowerCase())]),
    resolve: generator || isBuilt ? unjudged(resolve, isBuilt) : withoutCase(resolve),
  };
}

/** By a file that lists the pages, by files of their folders, or by the folders alone. */
function readNavigation(
  source: SiteSource,
  root: string,
  generator: Generator | undefined,
  pages: readonly SitePage[],
) {
  const list = generator && listFile(source, root);
  if (list)
    return { files: [list], isListed: true, navigation: listedNavigation(source, list, pages) };
  const files = generator ? metaFiles(source, root, generator) : [];
  const navigation =
    generator && files.length > 0
      ? metaNavigation(source, files, generator.name, pages)
      : byFolder(pages, source);
  return { files, isListed: false, navigation };
}

type Resolve = Site['resolve'];

function linksOf(source: SiteSource, root: string, pages: readonly SitePage[]): Resolve {
  return linkResolver({
    ...{ source, pages, docsFolder: root, basePath: '/', generated: [], staticFolders: [''] },
    candidates: path =>
      ['md', 'mdx'].flatMap(one => [
        `${path}.${one}`,
        `${path}/README.${one}`,
        `${path}/index.${one}`,
      ]),
  });
}

/** Hosts compare fragments without case. */
function withoutCase(resolve: Resolve): Resolve {
  return (url, file) => {
    const target = resolve(url, file);
    if (target.kind !== 'page' || target.anchor === null) return target;
    return { ...target, anchor: target.anchor.toLowerCase() };
  };
}

/** What no file explains may be there all the same, unless it is written as a file. */
function unjudged(resolve: Resolve, judgesFiles: boolean): Resolve {
  return (url, file) => {
    const target = resolve(url, file);
    if (target.kind !== 'missing') return target;
    return judgesFiles && /^[^/].*\.mdx?$/.test(target.path) ? target : { kind: 'unchecked' };
  };
}

/** Files that list pages, or are parts of every page. */
const LISTS = /(?:^|\/)(?:SUMMARY|_sidebar|_navbar|_coverpage|_footer)\.md$/i;

function readPages(source: SiteSource, root: string, isGenerated: boolean) {
  const pages: SitePage[] = [];
  const excluded: string[] = [];
  for (const file of source.paths) {
    const path = sitePath(root, file);
    if (path === undefined) continue;
    const isHidden = /(?:^|\/)\.[^/]/.test(below(root, file) ?? '');
    if (isHidden || (isGenerated && LISTS.test(file))) excluded.push(file);
    else pages.push(pageAt(file, path, root));
  }
  giveLanguages(pages, source);
  return { pages, excluded };
}

function pageAt(file: string, path: string, root: string): SitePage {
  const crumbs = folderOf(below(root, file) ?? file)
    .split('/')
    .filter(part => part !== '');
  const isFolder = /^(?:README|index)\./.test(nameOf(file));
  return {
    file,
    path,
    url: path,
    language: null,
    version: null,
    inNavigation: true,
    title: null,
    crumbs: isFolder ? crumbs.slice(0, -1) : crumbs,
    draft: false,
  };
}

/** The folder's own page first, then files, then folders, by name. */
function byFolder(pages: readonly SitePage[], source: SiteSource) {
  return pages
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(page => {
      page.title = firstTitle(source.outline(page.file)) ?? nameOf(page.file).replace(/\.\w+$/, '');
      return { title: page.title, path: page.path, file: page.file, crumbs: page.crumbs };
    });
}
