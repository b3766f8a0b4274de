import type { PageOutline } from '../../outline/page-outline.ts';
import { linkResolver } from '../links.ts';
import { markNavigation } from '../navigation.ts';
import {
  basePathOf,
  below,
  beside,
  folderOf,
  isExternal,
  joinPath,
  nameOf,
  originOf,
  sitePathOf,
  splitUrl,
} from '../paths.ts';
import type { SiteKind } from '../kind.ts';
import type { SitePlace, Site, SiteLink, SiteRedirect, SiteSource } from '../site-kind.ts';
import { type HugoConfig, HUGO_CONFIG, isHugoConfig, readHugoConfig } from './config.ts';
import { navigationOf } from './navigation.ts';
import { type HugoPage, readPages } from './pages.ts';
import { pageReferred, REFERENCES } from './references.ts';
import { hugoPages } from './shortcodes.ts';
import { headingIds, idsOf } from './heading-ids.ts';

/** Hugo: a tree of sections; the navigation is the theme's, by weight. */
export const hugo: SiteKind<'hugo'> = {
  name: 'hugo',
  title: 'Hugo',
  marker: HUGO_CONFIG,
  isMarker: isHugoConfig,
  rootOf: marker => folderOf(marker).replace(/(?:^|\/)config\/_default$/, ''),
  // `config.*` may belong to anything.
  usualPages: marker => (/(?:^|\/)hugo\./.test(marker) ? beside('content')(marker) : undefined),
  settings: /(?:^|\/)layouts\/_?shortcodes\/.+\.html$/,
  links: REFERENCES,
  read: readHugo,
};

function readHugo(source: SiteSource, found: SitePlace): Site {
  const config = readHugoConfig(source, found);
  const { pages, excluded, linked } = readPages(source, config);
  const navigation = config.languages.flatMap(language =>
    navigationOf(
      pages.filter(page => page.languageKey === language.key),
      config,
      language,
    ),
  );
  markNavigation(pages, navigation);
  const redirects = pages.flatMap(redirectsTo);
  const main = config.languages.find(one => one.key === config.defaultLanguage);
  const docsFolder = (main ?? config.languages[0])?.contentFolder ?? found.root;
  const generated = [
    ...[...taxonomyPaths(config), ...htmlPages(source, config), ...linked],
    ...navigation.flatMap(({ generated: isMade, path }) => (isMade && path ? [path] : [])),
  ];
  const known = [...generated, ...redirects.map(one => one.from)];
  const byFiles = resolver(source, config, pages, docsFolder, known);
  const { resolve, unread } = withMenu(config, byFiles, found);
  return {
    ownChecks: {
      ...{ links: 'stops', anchors: 'none', orphans: 'warns', images: false },
      elements: config.refsStop ? ['ref'] : [],
    },
    root: found.root,
    docsFolder,
    configFiles: config.files,
    basePath: basePathOf(config.baseUrl ?? undefined),
    address: originOf(config.baseUrl),
    addressRule:
      'A page has the path of its file in lower case; _index.md and index.md are their folder; ' +
      '`slug` and `url` in front matter change it.',
    pages,
    navigation,
    isListedByFolder: true,
    redirects,
    generated,
    excluded,
    unread,
    problems: config.problems,
    ...hugoPages(source, config),
    headingIds: headingIds(config.headings),
    anchors: anchorsReader(source, config),
    resolve,
    fileNamed: (name, from) => pageReferred(pages, resolve, name, from),
  };
}

/** What every page leads to is there, although no file of the site makes it. */
function withMenu(
  { menu }: HugoConfig,
  byFiles: Site['resolve'],
  { marker }: SitePlace,
): Pick<Site, 'resolve' | 'unread'> {
  const made = menu.filter(path => byFiles(path, '').kind === 'missing');
  const paths = new Set(made.map(path => sitePathOf(path)));
  const unread = made.map(path => {
    const message = `The menu names ${path}, which no file of the site makes.`;
    return { file: marker, line: null, message };
  });
  const resolve: Site['resolve'] = (url, file) => {
    const link = byFiles(url, file);
    const { path } = splitUrl(url);
    const isMade = link.kind === 'missing' && path.startsWith('/') && paths.has(sitePathOf(path));
    return isMade ? { kind: 'route', path: sitePathOf(path) } : link;
  };
  return { resolve, unread };
}

function redirectsTo({ aliases, path, file }: HugoPage): SiteRedirect[] {
  return aliases.map(alias => ({
    from: alias.startsWith('/') ? sitePathOf(alias) : sitePathOf(folderOf(path), alias),
    to: path,
    file,
    line: null,
  }));
}

function anchorsReader(source: SiteSource, config: HugoConfig): Site['anchors'] {
  const hasOwnIds = givesIds(source);
  return outline => (hasOwnIds ? null : anchorsOf(outline, config));
}

/** Whether a template of the site writes headings, and gives them other ids than Hugo's. */
function givesIds(source: SiteSource): boolean {
  return source.paths.some(path => {
    if (!/(?:^|\/)_markup\/render-heading\b[^/]*\.html$/.test(path)) return false;
    return !/\bid\s*=\s*["']?\{\{-?\s*\.Anchor(?:\s*\|\s*safe\w+)?\s*-?\}\}["'\s>]/.test(
      source.read(path) ?? '',
    );
  });
}

/** Shortcodes may add anything. */
function anchorsOf(outline: PageOutline, config: HugoConfig): ReadonlySet<string> | null {
  if (/\{\{[<%]/.test(outline.text)) return null;
  const { headings, terms } = idsOf(outline, config.headings);
  const attributes = outline.text.matchAll(/\{[^{}\n]*#([\w:.-]+)[^{}\n]*\}/g);
  return new Set([
    ...[...headings, ...terms, ...outline.ids],
    ...Array.from(attributes, ([, id = '']) => id),
  ]);
}

function resolver(
  source: SiteSource,
  config: HugoConfig,
  pages: readonly HugoPage[],
  docsFolder: string,
  generated: readonly string[],
): Site['resolve'] {
  const hasHook = source.paths.some(path => /\/_markup\/render-link\b[^/]*$/.test(path));
  const resolve = linkResolver({
    source,
    pages,
    docsFolder,
    basePath: basePathOf(config.baseUrl ?? undefined),
    candidates: path => [`${path}.md`, `${path}/_index.md`, `${path}/index.md`],
    generated,
    // Files beside pages are published as they are.
    staticFolders: [
      ...config.staticFolders,
      ...config.languages.flatMap(language => language.mounts.map(mount => mount.source)),
    ],
    relativeToAddress: true,
    ignoresCase: !config.keepsCase,
    // Output formats make further files; a theme's own hook may give a bare name a meaning.
    unchecked: path => /^\/.*\.(?:xml|txt|json|ics)$/.test(path) || (hasHook && !/[./]/.test(path)),
  });
  const named = pagesNamed(pages);
  return (url, file) => {
    const byHook = config.linksFindPages && !hasHook ? named(url, file, true) : undefined;
    if (byHook) return byHook;
    const link = resolve(url, file);
    const found = link.kind === 'missing' ? named(url, file, hasHook) : undefined;
    if (found) return found;
    // A hook finds pages from the top of the content as well.
    if (link.kind !== 'missing' || !hasHook || url.startsWith('/')) return link;
    const fromTop = resolve(`/${url}`, file);
    return fromTop.kind === 'page' ? fromTop : link;
  };
}

/**
 * The page in the language of this one that a link names by its file, among the files that the
 * configuration puts beside each other; with `fromTop`, also from the top of the content.
 */
function pagesNamed(pages: readonly HugoPage[]) {
  const byFile = new Map(pages.map(page => [page.file, page]));
  const keyOf = (language: string, source: string) => `${language}:${source}`.toLowerCase();
  const bySource = new Map(pages.map(page => [keyOf(page.languageKey, page.source), page]));
  return (url: string, file: string, fromTop: boolean): SiteLink | undefined => {
    const from = byFile.get(file);
    const { path, anchor } = splitUrl(url);
    const named = path.replace(/\/+$/, '').replace(/\.(?:md|markdown)$/, '');
    // A hook finds the page of a folder by any of its names.
    const bare = fromTop ? named.replace(/(^|\/)_?index$/, '$1') : named;
    if (!from || named === '' || isExternal(url)) return undefined;
    const folder = folderOf(from.source);
    const folders = [
      ...(path.startsWith('/') ? [] : [folder]),
      // For Hugo a bundle is beside the pages of the folder that it is in.
      ...(fromTop && nameOf(from.source) === 'index' ? [folderOf(folder)] : []),
      ...(fromTop && !path.startsWith('../') ? [''] : []),
    ];
    const page = folders
      .map(one => joinPath(one, bare))
      .flatMap(source =>
        source === undefined ? [] : [source, joinPath(source, '_index'), joinPath(source, 'index')],
      )
      .map(source => bySource.get(keyOf(from.languageKey, source ?? '')))
      .find(one => one !== undefined);
    return page && { kind: 'page', page, anchor };
  };
}

/** Pages of content in HTML, which is not read. */
function htmlPages(source: SiteSource, config: HugoConfig): string[] {
  return config.languages.flatMap(({ segment, mounts }) =>
    mounts.flatMap(mount =>
      source.paths.flatMap(file => {
        const path = file.endsWith('.html') ? below(mount.source, file) : undefined;
        if (path === undefined) return [];
        const bare = path.slice(0, -'.html'.length).replace(/(^|\/)_?index$/, '$1');
        return [sitePathOf(segment, mount.target, bare).toLowerCase()];
      }),
    ),
  );
}

function taxonomyPaths(config: HugoConfig): string[] {
  return config.languages.flatMap(({ segment }) =>
    config.taxonomies.flatMap(name => [
      sitePathOf(segment, name),
      `${sitePathOf(segment, name)}/*`,
    ]),
  );
}
