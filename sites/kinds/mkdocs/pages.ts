import { globSource, linearPattern } from '../../glob.ts';
import { pathSpec } from '../../gitignore.ts';
import { firstTitle, type PageOutline, withoutBraces } from '../../outline/page-outline.ts';
import { basePathOf, below, nameOf, sitePathOf, withBase, joinPath } from '../paths.ts';
import { UNPLACED } from '../navigation.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import { linesOf, objectOf, textOf } from '../../values.ts';
import type { MkDocsConfig } from './config.ts';
import { languagesOf, mainLanguage, type SisterLanguage, splitLanguage } from './languages.ts';

/** A page with its path below the docs folder. */
export interface MkDocsPage extends SitePage {
  source: string;
  /** The path without the language. */
  base: string;
  /** The page of the default language stands in for a translation. */
  isLent?: boolean;
}

const PAGE = /\.(?:md|markdown|mdown|mkdn|mkd)$/;

export function readPages(
  source: SiteSource,
  config: MkDocsConfig,
  sisters: readonly SisterLanguage[],
): { pages: MkDocsPage[]; excluded: string[] } {
  const isExcluded = exclusion(config);
  const isDraft = pathSpec(linesOf(config.settings.draft_docs));
  const isUnlisted = pathSpec(linesOf(config.settings.not_in_nav));
  const pages: MkDocsPage[] = [];
  const excluded: string[] = [];
  for (const file of source.paths) {
    if (!PAGE.test(file)) continue;
    const sister = sisters.find(({ folder }) => below(folder, file) !== undefined);
    const path = below(sister?.folder ?? config.docsFolder, file);
    if (path === undefined) continue;
    // index.md wins where README.md stands beside it.
    const isShadowed =
      /(?:^|\/)README\.md$/.test(path) && source.has(file.replace(/README\.md$/, 'index.md'));
    if (isExcluded(path) || isShadowed) {
      excluded.push(file);
      continue;
    }
    const page = pageAt(file, path, config, () => source.outline(file));
    if (sister) translate(page, sister, config);
    else if (sisters.length > 0) page.language ??= 'en';
    page.draft ||= isDraft(path);
    if (isUnlisted(path)) page.unlisted = true;
    pages.push(page);
  }
  return { pages, excluded };
}

function exclusion(config: MkDocsConfig): (path: string) => boolean {
  const isExcluded = pathSpec(['.*', '/templates/', ...linesOf(config.settings.exclude_docs)]);
  const plugin = config.plugins.get('exclude');
  const globs = linesOf(plugin?.glob);
  // Python's fnmatch: a star crosses slashes.
  const patterns = [
    // A star of this plugin matches folders as well.
    ...globs.flatMap(glob => linearPattern(`^${globSource(glob.replace(/\*+/g, '**'))}$`) ?? []),
    ...linesOf(plugin?.regex).flatMap(regex => linearPattern(`^(?:${regex})`) ?? []),
  ];
  const navigationFiles = config.plugins.has('literate-nav')
    ? [textOf(objectOf(config.plugins.get('literate-nav')).nav_file) ?? 'SUMMARY.md']
    : [];
  return path =>
    isExcluded(path) ||
    patterns.some(pattern => pattern.matcher(path).find()) ||
    navigationFiles.includes(nameOf(path));
}

function pageAt(
  file: string,
  source: string,
  config: MkDocsConfig,
  outline: () => PageOutline,
): MkDocsPage {
  const languages = languagesOf(config);
  const { theme } = config.settings;
  const own = languages
    ? splitLanguage(source, languages)
    : { tag: textOf(objectOf(theme).language) ?? null, path: source };
  const post = postSource(own.path, outline, config);
  const folder = languages && own.tag !== languages.main ? (own.tag ?? '') : '';
  const path = sitePathOf(folder, sitePath(post ?? own.path));
  const url = withBase(basePathOf(config.siteUrl ?? undefined), written(path, own.path, config));
  return {
    file,
    source,
    base: own.path,
    path,
    url,
    language: own.tag,
    ...UNPLACED,
    draft: post !== undefined && outline().frontMatter.draft === true,
    ...(post !== undefined && { unlisted: true, kind: 'blog' as const }),
  };
}

/** Puts a page of another docs folder below the address of its language. */
function translate(page: MkDocsPage, { tag, segment }: SisterLanguage, config: MkDocsConfig): void {
  page.source = `${tag}:${page.source}`;
  page.language = tag;
  page.path = sitePathOf(segment, page.path);
  page.url = withBase(
    basePathOf(config.siteUrl ?? undefined),
    written(page.path, page.base, config),
  );
}

/**
 * The pages of each language by their path without it, and the ones that the default language
 * lends to those without a translation.
 */
export function pagesByLanguage(
  pages: readonly MkDocsPage[],
  config: MkDocsConfig,
  sisters: readonly SisterLanguage[],
): { tag: string | null; pages: Map<string, MkDocsPage> }[] {
  const languages = languagesOf(config);
  if (!languages && sisters.length === 0)
    return [{ tag: null, pages: new Map(pages.map(page => [page.source, page])) }];
  if (!languages)
    return [mainLanguage(config) ?? 'en', ...sisters.map(({ tag }) => tag)].map(tag => {
      const own = pages.filter(page => page.language === tag);
      return { tag, pages: new Map(own.map(page => [page.base, page])) };
    });
  const { main, tags, fallsBack } = languages;
  const basePath = basePathOf(config.siteUrl ?? undefined);
  return tags.map(tag => {
    const own = new Map<string, MkDocsPage>();
    for (const page of pages) {
      if (page.language === tag) own.set(page.base, page);
      else if (fallsBack && page.language === main && !own.has(page.base)) {
        const path = sitePathOf(tag, page.path);
        const url = withBase(basePath, written(path, page.base, config));
        own.set(page.base, { ...page, path, url, language: tag, isLent: true });
      }
    }
    return { tag, pages: own };
  });
}

function sitePath(path: string): string {
  return path.replace(PAGE, '').replace(/(^|\/)(?:index|README)$/, '$1');
}

function written(path: string, source: string, config: MkDocsConfig): string {
  if (config.directoryUrls) return path === '/' ? '/' : `${path}/`;
  const isFolder = /(?:^|\/)(?:index|README)\.\w+$/.test(source);
  return isFolder ? `${path === '/' ? '' : path}/index.html` : `${path}.html`;
}

/** What MkDocs calls a page that the navigation gives no title. */
export function ownTitle(page: MkDocsPage, outline: PageOutline): string {
  const { title } = outline.frontMatter;
  if (typeof title === 'string' || typeof title === 'number') return String(title);
  const heading = withoutBraces(firstTitle(outline) ?? '');
  if (heading) return heading;
  return page.path === '/' ? 'Home' : humanized(nameOf(page.source).replace(PAGE, ''));
}

/** `getting-started` as `Getting started`; names with capitals stay. */
export function humanized(name: string): string {
  const words = name.replace(/[-_]/g, ' ');
  return words === words.toLowerCase() ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}

/**
 * Where Material's plugin `blog` writes a post, as a source path: `blog/2026/01/31/title.md`.
 * Undefined if the file is not a post.
 */
function postSource(
  source: string,
  outline: () => PageOutline,
  config: MkDocsConfig,
): string | undefined {
  const options = config.plugins.get('blog');
  if (!options) return undefined;
  const blog = textOf(options.blog_dir) ?? 'blog';
  const posts = joinPath((textOf(options.post_dir) ?? '{blog}/posts').replace('{blog}', blog));
  if (below(posts ?? '', source) === undefined) return undefined;
  const page = outline();
  const { frontMatter } = page;
  const name = nameOf(source).replace(/\.\w+$/, '');
  const separator = textOf(options.post_slugify_separator) ?? '-';
  const title = textOf(frontMatter.title) ?? firstTitle(page) ?? name;
  const categories = [frontMatter.categories].flat().filter(one => typeof one === 'string');
  const most = Number(options.post_url_max_categories ?? 1);
  const values: Record<string, string> = {
    categories: categories
      .slice(0, most)
      .map(one => slugOf(one, '-'))
      .join('/'),
    date: formatted(dateOf(frontMatter.date), textOf(options.post_url_date_format)),
    file: name,
    slug: textOf(frontMatter.slug) ?? slugOf(title, separator),
  };
  const format = textOf(options.post_url_format) ?? '{date}/{slug}';
  const path = format.replace(/\{(\w+)\}/g, (all, key: string) => values[key] ?? all);
  return `${joinPath(blog, path) ?? source}.md`;
}

/** As pymdownx slugifies in lower case. */
function slugOf(text: string, separator: string): string {
  return text
    .normalize('NFC')
    .replace(/<\/?[^>]*>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
    .replaceAll(' ', separator);
}

/** `date: 2026-01-31`, or `date: { created: … }`. */
function dateOf(value: unknown): string {
  const date: unknown = value instanceof Date ? value : (objectOf(value).created ?? value);
  return date instanceof Date ? date.toISOString() : typeof date === 'string' ? date : '';
}

/** A pattern of `y`, `M` and `d`; others are rare and stay as they are. */
function formatted(date: string, pattern = 'yyyy/MM/dd'): string {
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-');
  const parts: Record<string, string> = { y: year, M: month, d: day };
  return pattern.replace(/y+|M+|d+/g, run => {
    const part = parts[run.charAt(0)] ?? '';
    return run.length === 1 ? part.replace(/^0+/, '') : run === 'yy' ? part.slice(-2) : part;
  });
}
