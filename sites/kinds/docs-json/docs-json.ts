import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { lineCounter } from '../../outline/line-counter.ts';
import { firstTitle, type PageOutline } from '../../outline/page-outline.ts';
import { gitIgnore } from '../../gitignore.ts';
import {
  redirectFinder,
  type Navigation,
  navigationFile,
  type NavigationPlace,
} from '../../navigation.ts';
import { navigationReading } from '../../read-navigation.ts';
import { candidateFiles, cleanSitePath, sitePath } from '../../page-path.ts';
import { markNavigation, UNPLACED } from '../navigation.ts';
import { headingIds, hostIds } from './anchors.ts';
import { apiReferences } from './api-references.ts';
import { linkResolver, pathTest } from '../links.ts';
import { importedMarkdown } from '../imported-markdown.ts';
import { shownPages } from '../includes.ts';
import { below, folderOf, joinPath, sitePathOf } from '../paths.ts';
import type { SiteKind } from '../kind.ts';
import type {
  SitePlace,
  NavigationItem,
  Site,
  SitePage,
  SiteProblem,
  SiteSource,
} from '../site-kind.ts';

/** Sites whose navigation is in `docs.json` (or the older `mint.json`). */
export const docsJson: SiteKind<'docs.json'> = {
  name: 'docs.json',
  title: 'docs.json',
  isPlain: true,
  marker: /(?:^|\/)(?:docs|mint)\.json$/,
  isMarker: (source, path) => /"navigation"\s*:/.test(source.read(path) ?? ''),
  settings: /(?:^|\/)\.mintignore$/,
  inFolder: (source, folder) => {
    const marker = navigationFile(path => source.has(path), folder);
    return marker === undefined ? undefined : { root: folder, marker };
  },
  read: readDocsJson,
  apiReferences,
};

function readDocsJson(source: SiteSource, found: SitePlace): Site {
  const { root } = found;
  const navigation = readNavigation(source, root);
  const lines = lineFinder(source);
  const { pages, excluded } = readPages(source, root);
  const byPath = new Map(pages.map(page => [page.path, page]));
  const items = navigation.entries.map(entry => itemOf(entry, byPath, source));
  markNavigation(pages, items);
  givePlaces(byPath, navigation);
  return {
    ownChecks: {
      links: 'stops',
      anchors: 'warns',
      orphans: 'warns',
      elements: ['a', 'Card'],
      images: true,
    },
    root,
    docsFolder: root,
    configFiles: navigation.files,
    basePath: '/',
    address: null,
    addressRule: 'A page has the path of its file without the ending; index is its folder.',
    pages,
    navigation: items,
    redirects: navigation.redirects.map(redirect => ({
      from: redirect.source,
      to: redirect.destination,
      file: redirect.file,
      line: lines(redirect),
    })),
    generated: generatedPaths(navigation),
    excluded,
    unread: [],
    problems: [...errorsOf(navigation), ...missingPages(navigation, byPath, lines)],
    outline: file => source.outline(file),
    shown: shownPages(source, [importedSnippets(source, root)]),
    headingIds,
    anchors: outline => anchorsOf(outline),
    resolve: resolver(source, root, pages, navigation),
  };
}

function readNavigation(source: SiteSource, root: string): Navigation {
  const reading = navigationReading(root);
  let state = reading.next();
  while (!state.done) state = reading.next(source.read(state.value));
  return state.value;
}

function readPages(source: SiteSource, root: string) {
  const isIgnored = gitIgnore(
    source.read(root === '' ? '.mintignore' : `${root}/.mintignore`) ?? '',
  );
  const pages: SitePage[] = [];
  const excluded: string[] = [];
  for (const file of source.paths) {
    const path = below(root, file);
    const route = sitePath(root, file);
    if (path === undefined || route === undefined) continue;
    // Snippets are parts of pages.
    if (isIgnored(path) || /(?:^|\/)(?:_?snippets\/|\.|node_modules\/)/.test(path))
      excluded.push(file);
    else pages.push(pageAt(file, route));
  }
  return { pages, excluded };
}

function pageAt(file: string, path: string): SitePage {
  return { file, path, url: path, language: null, ...UNPLACED };
}

function itemOf(
  entry: Navigation['entries'][number],
  pages: ReadonlyMap<string, SitePage>,
  source: SiteSource,
): NavigationItem {
  const page = pages.get(entry.path);
  const outline = page && source.outline(page.file);
  const named = outline?.frontMatter.sidebarTitle ?? outline?.frontMatter.title;
  const title =
    typeof named === 'string' ? named : ((outline && firstTitle(outline)) ?? entry.page);
  return {
    title,
    path: entry.path,
    crumbs: entry.crumbs,
    ...(page && { file: page.file }),
    ...(entry.language !== undefined && { locale: entry.language }),
    ...(entry.version !== undefined && { version: entry.version }),
  };
}

/** A page may stand in several places: the first one decides. */
function givePlaces(pages: ReadonlyMap<string, SitePage>, navigation: Navigation): void {
  for (const { path, language, version, boost } of navigation.entries.toReversed()) {
    const page = pages.get(path);
    if (!page) continue;
    page.language = language ?? null;
    page.version = version ?? null;
    if (boost === undefined) delete page.boost;
    else page.boost = boost;
  }
}

function errorsOf(navigation: Navigation): SiteProblem[] {
  return navigation.errors.map(({ file, line, message }) => ({
    rule: 'configuration',
    file,
    line,
    link: null,
    message: `${file} ${message}`,
  }));
}

/** The line of a place in a JSON file; each file is parsed once. */
function lineFinder(source: SiteSource): (place: NavigationPlace) => number | null {
  const trees = new Map<string, { root: Node | undefined; linesBefore: (at: number) => number }>();
  return ({ file, pointer }) => {
    const text = source.read(file) ?? '';
    const tree = trees.get(file) ?? { root: parseTree(text), linesBefore: lineCounter(text) };
    trees.set(file, tree);
    const node = tree.root && findNodeAtLocation(tree.root, pointer);
    return node ? tree.linesBefore(node.offset) + 1 : null;
  };
}

function missingPages(
  navigation: Navigation,
  pages: ReadonlyMap<string, SitePage>,
  lines: ReturnType<typeof lineFinder>,
): SiteProblem[] {
  const isGenerated = pathTest(generatedPaths(navigation));
  const movedTo = redirectFinder(navigation.redirects);
  return navigation.entries
    .filter(({ path }) => !pages.has(path) && !isGenerated(path) && movedTo(path) === undefined)
    .map(entry => ({
      rule: 'navigation',
      file: entry.file,
      line: lines(entry),
      link: entry.page,
      message: `The navigation names ${entry.page}, which does not exist.`,
    }));
}

function generatedPaths({ generated }: Navigation): string[] {
  return generated.flatMap(path => [path, `${path}/*`]);
}

/** `import Part from '/snippets/part.mdx'`, and the older `<Snippet file="part.mdx" />`. */
function importedSnippets(source: SiteSource, root: string) {
  const existing = (folder: string, path: string) =>
    [joinPath(folder, path)].find(file => file !== undefined && source.has(file));
  return importedMarkdown(
    (path, from) => existing(path.startsWith('/') ? root : folderOf(from), path),
    {
      name: 'Snippet',
      fileOf: path => existing(root, `snippets/${path}`) ?? existing(root, `_snippets/${path}`),
    },
  );
}

/** Components that show text from elsewhere may bring headings along. */
function anchorsOf(outline: PageOutline): ReadonlySet<string> | null {
  if (outline.imports.some(({ path }) => /\.mdx?$/.test(path))) return null;
  return new Set([...headingIds(outline), ...outline.ids, ...hostIds(outline)]);
}

/** As files and as addresses; a link from the repository's root, `/docs/a`, is known as well. */
function resolver(
  source: SiteSource,
  root: string,
  pages: readonly SitePage[],
  navigation: Navigation,
): Site['resolve'] {
  const tops = [...new Set([root, folderOf(root), ''])];
  const resolve = linkResolver({
    source,
    pages,
    docsFolder: root,
    basePath: '/',
    candidates: path => candidateFiles('', path),
    generated: generatedPaths(navigation),
    staticFolders: [...tops.flatMap(top => [`${top}/public`, `${top}/static`]), ''],
  });
  const movedTo = redirectFinder(navigation.redirects);
  return (url, file) => {
    const target = resolve(url, file);
    if (target.kind !== 'missing') return target;
    const rooted = url.startsWith(`/${root}/`) && resolve(url.slice(root.length + 1), file);
    if (rooted && rooted.kind !== 'missing') return rooted;
    const path = sitePathOf(
      target.path.startsWith('/') ? '' : folderOf(file).slice(root.length),
      target.path,
    );
    const isRedirected = movedTo(cleanSitePath(path)) !== undefined;
    return isRedirected ? { kind: 'route', path } : target;
  };
}
