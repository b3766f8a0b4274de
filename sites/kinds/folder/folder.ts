import { githubIds } from '../../outline/github-ids.ts';
import { firstTitle } from '../../outline/page-outline.ts';
import { sitePath } from '../../page-path.ts';
import { giveLanguages } from './languages.ts';
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
  const { pages, excluded } = readPages(source, root);
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
    docsFolder: root,
    configFiles: [],
    basePath: '/',
    address: null,
    addressRule: 'A page has the path of its file without the ending; README is its folder.',
    pages,
    navigation: byFolder(pages, source),
    isListedByFolder: true,
    redirects: [],
    generated: [],
    excluded,
    unread: [],
    problems: [],
    outline: file => source.outline(file),
    headingIds: outline => githubIds(outline),
    // Labels of a MyST project may name anything on a page.
    anchors: outline => (isMyst ? null : new Set([...githubIds(outline), ...outline.ids])),
    resolve: linkResolver({
      source,
      pages,
      docsFolder: root,
      basePath: '/',
      candidates: path =>
        ['md', 'mdx'].flatMap(one => [
          `${path}.${one}`,
          `${path}/README.${one}`,
          `${path}/index.${one}`,
        ]),
      generated: [],
      staticFolders: [''],
    }),
  };
}

function readPages(source: SiteSource, root: string) {
  const pages: SitePage[] = [];
  const excluded: string[] = [];
  for (const file of source.paths) {
    const path = sitePath(root, file);
    if (path === undefined) continue;
    const isHidden = /(?:^|\/)\.[^/]/.test(below(root, file) ?? '');
    if (isHidden) excluded.push(file);
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
