import { type PageOutline, plainText, trailingBraces } from '../../outline/page-outline.ts';
import { leftOutByPatterns } from '../left-out.ts';
import { lineNaming } from '../line-of.ts';
import { objectOf, stringsOf } from '../../values.ts';
import { linkResolver } from '../links.ts';
import {
  basePathOf,
  below,
  beside,
  folderOf,
  isExternal,
  joinPath,
  sitePathOf,
  withBase,
} from '../paths.ts';
import { shownPages } from '../includes.ts';
import { parseToml } from '../toml.ts';
import type { SiteKind } from '../kind.ts';
import type {
  Unread,
  SitePlace,
  NavigationItem,
  Site,
  SitePage,
  SiteProblem,
  SiteRedirect,
  SiteSource,
} from '../site-kind.ts';
import { INCLUDES } from './parts.ts';
import { type Chapter, readSummary } from './summary.ts';

/** mdBook: the chapters of `SUMMARY.md` are the pages and the navigation. */
export const mdbook: SiteKind<'mdbook'> = {
  name: 'mdbook',
  title: 'mdBook',
  marker: /(?:^|\/)book\.toml$/,
  usualPages: beside('src'),
  links: [
    {
      kind: 'include',
      pattern: /(?<!\\)\{\{#(?:include|rustdoc_include|playground)[ \t]+([^\s:{}]+)/dg,
    },
  ],
  read: readBook,
};

interface BookConfig {
  preprocessor?: Record<string, unknown>;
  book?: { src?: string; language?: string };
  output?: {
    html?: { 'site-url'?: string; redirect?: Record<string, string> };
    linkcheck?: { exclude?: unknown };
  };
}

function readBook(source: SiteSource, found: SitePlace): Site {
  const problems: SiteProblem[] = [];
  const config: BookConfig = parseToml(source.read(found.marker) ?? '', found.marker, problems);
  const docsFolder = joinPath(found.root, config.book?.src ?? 'src') ?? found.root;
  const summary = joinPath(docsFolder, 'SUMMARY.md') ?? 'SUMMARY.md';
  const chapters = readSummary(source.read(summary) ?? '');
  const basePath = basePathOf(config.output?.html?.['site-url']);
  const pages = readPages(source, docsFolder, basePath, chapters);
  problems.push(...missingChapters(source, docsFolder, summary, chapters));
  const redirects = redirectsOf(config, found.marker, source.read(found.marker) ?? '');
  const [first] = pages.values();
  const list = [...pages.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return {
    ownChecks: {
      ...{ links: 'stops', anchors: 'none', orphans: 'warns', elements: [], images: false },
      leavesOut: leftOutByPatterns(stringsOf(config.output?.linkcheck?.exclude)),
    },
    root: found.root,
    docsFolder,
    configFiles: [found.marker, summary],
    basePath,
    address: null,
    addressRule:
      'A chapter listed in SUMMARY.md has the path of its file with .html; ' +
      'README.md is index.html.',
    pages: list,
    navigation: chapters.flatMap(chapter => itemOf(chapter, docsFolder, pages)),
    redirects,
    // The first chapter is written as index.html as well.
    generated: first && first.path !== '/' ? ['/'] : [],
    excluded: source.paths.filter(
      path => /\.md$/i.test(path) && below(docsFolder, path) !== undefined && !pages.has(path),
    ),
    unread: preprocessors(config, found.marker),
    problems,
    outline: file => source.outline(file),
    shown: shownPages(source, [INCLUDES]),
    headingIds,
    anchors: outline =>
      /\{\{#\w+/.test(outline.text) ? null : new Set([...headingIds(outline), ...outline.ids]),
    resolve: resolver(source, config, docsFolder, list, redirects),
  };
}

/** Those of others may change the text of pages; mdBook has two of its own. */
function preprocessors({ preprocessor }: BookConfig, file: string): Unread[] {
  return Object.keys(objectOf(preprocessor))
    .filter(name => !['links', 'index'].includes(name))
    .map(name => ({ file, line: null, message: `The preprocessor ${name} may change pages.` }));
}

function resolver(
  source: SiteSource,
  config: BookConfig,
  docsFolder: string,
  pages: readonly SitePage[],
  redirects: readonly SiteRedirect[],
): Site['resolve'] {
  // One that a book brings along may give a bare name a meaning.
  const hasPreprocessor = Object.keys(config.preprocessor ?? {}).some(
    name => !['links', 'index'].includes(name),
  );
  const resolve = linkResolver({
    source,
    pages,
    docsFolder,
    basePath: basePathOf(config.output?.html?.['site-url']),
    candidates: path => {
      const markdown = path.replace(/\.html$/, '.md');
      return [markdown, markdown.replace(/(^|\/)index\.md$/, '$1README.md'), path];
    },
    generated: [...redirects.map(({ from }) => from), '/', '/print'],
    leavesSite: true,
    unchecked: path => hasPreprocessor && !/[/]|\.(?:md|html)$/.test(path),
  });
  return (url, file) => {
    const target = resolve(url, file);
    // A redirect is a file of the book: links to it are relative as well.
    const path = target.kind === 'missing' && /\.html$/.test(target.path) ? target.path : '/';
    const route = below(docsFolder, joinPath(folderOf(file), path) ?? '');
    return path.startsWith('/') || route === undefined ? target : resolve(`/${route}`, file);
  };
}

function bookPage(file: string, docsFolder: string, basePath: string, chapter: Chapter): SitePage {
  const path = bookPath(below(docsFolder, file) ?? file);
  const html = (below(docsFolder, file) ?? file)
    .replace(/(^|\/)README\.md$/i, '$1index.md')
    .replace(/\.md$/i, '.html');
  const { title, crumbs } = chapter;
  const place = { inNavigation: true, title, crumbs };
  const url = withBase(basePath, `/${html}`);
  return { file, path, url, language: null, version: null, draft: false, ...place };
}

function bookPath(file: string): string {
  return sitePathOf(file.replace(/\.(?:md|html)$/i, '').replace(/(^|\/)(?:README|index)$/i, '$1'));
}

function readPages(
  source: SiteSource,
  docsFolder: string,
  basePath: string,
  chapters: readonly Chapter[],
): Map<string, SitePage> {
  const pages = new Map<string, SitePage>();
  for (const chapter of chapters) {
    const file = chapter.target === null ? undefined : joinPath(docsFolder, chapter.target);
    if (file !== undefined && !pages.has(file) && source.has(file))
      pages.set(file, bookPage(file, docsFolder, basePath, chapter));
  }
  return pages;
}

function itemOf(
  { title, crumbs, target }: Chapter,
  docsFolder: string,
  pages: ReadonlyMap<string, SitePage>,
): NavigationItem[] {
  if (target === null) return [{ title, crumbs }];
  const page = pages.get(joinPath(docsFolder, target) ?? '');
  return page ? [{ title, crumbs, path: page.path, file: page.file }] : [];
}

function redirectsOf(config: BookConfig, file: string, text: string): SiteRedirect[] {
  return Object.entries(config.output?.html?.redirect ?? {}).map(([from, to]) => {
    const target = joinPath(to.startsWith('/') ? '' : folderOf(from), to);
    // Nothing of a link to another book beside this one is known here.
    const isOutside = isExternal(to) || target === undefined;
    return {
      from: redirectPath(from),
      to: isOutside ? to : redirectPath(target),
      file,
      line: lineNaming(text, from, /redirect/),
    };
  });
}

/** A path of a redirect, with the heading that it may name. */
function redirectPath(written: string): string {
  const [page = '', anchor] = written.split('#');
  return anchor === undefined ? bookPath(page) : `${bookPath(page)}#${anchor}`;
}

function missingChapters(
  source: SiteSource,
  docsFolder: string,
  file: string,
  chapters: readonly Chapter[],
): SiteProblem[] {
  return chapters
    .filter(({ target }) => target !== null && !source.has(joinPath(docsFolder, target) ?? ''))
    .map(({ target, line }) => ({
      rule: 'navigation',
      file,
      line,
      link: target,
      message: `SUMMARY.md lists ${target}, which does not exist.`,
    }));
}

/** mdBook's own rule: lower case, white space becomes `-`, other marks are dropped. */
function headingIds(outline: PageOutline): string[] {
  const used = new Map<string, number>();
  return outline.headings.map(({ parts, id: written }) => {
    if (written !== undefined) return written;
    const text = plainText(parts);
    const own = /#([^\s}]+)/.exec(trailingBraces(text))?.[1];
    if (own !== undefined) return own;
    const id = [...text.trim().toLowerCase()]
      .map(char => (/[\p{L}\p{N}_-]/u.test(char) ? char : /\s/.test(char) ? '-' : ''))
      .join('');
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  });
}
