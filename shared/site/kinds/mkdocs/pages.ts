import ignore from 'ignore';
import picomatch from 'picomatch';
import { firstTitle, type PageOutline } from '../../outline/page-outline.ts';
import { basePathOf, below, nameOf, sitePathOf, withBase } from '../paths.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import { linesOf, type MkDocsConfig, objectOf, textOf } from './config.ts';

/** A page with its path below the docs folder. */
export interface MkDocsPage extends SitePage {
  source: string;
}

const PAGE = /\.(?:md|markdown|mdown|mkdn|mkd)$/;

export function readPages(
  source: SiteSource,
  config: MkDocsConfig,
): { pages: MkDocsPage[]; excluded: string[] } {
  const isExcluded = exclusion(config);
  const drafts = ignore().add(linesOf(config.settings.draft_docs).join('\n'));
  const pages: MkDocsPage[] = [];
  const excluded: string[] = [];
  for (const file of source.paths) {
    const path = below(config.docsFolder, file);
    if (path === undefined || !PAGE.test(path)) continue;
    // index.md wins where README.md stands beside it.
    const isShadowed =
      /(?:^|\/)README\.md$/.test(path) && source.has(file.replace(/README\.md$/, 'index.md'));
    if (isExcluded(path) || isShadowed) excluded.push(file);
    else pages.push(pageAt(file, path, config, drafts.ignores(path)));
  }
  return { pages, excluded };
}

function exclusion(config: MkDocsConfig): (path: string) => boolean {
  const rules = ignore().add(['.*', '/templates/', ...linesOf(config.settings.exclude_docs)]);
  const plugin = config.plugins.get('exclude');
  const globs = linesOf(plugin?.glob);
  // Python's fnmatch: a star crosses slashes.
  const patterns = [
    ...globs.map(glob => picomatch.makeRe(glob.replace(/\*+/g, '**'), { bash: true, dot: true })),
    ...linesOf(plugin?.regex).flatMap(regex => safeRegExp(regex) ?? []),
  ];
  const navigationFiles = config.plugins.has('literate-nav')
    ? [textOf(objectOf(config.plugins.get('literate-nav')).nav_file) ?? 'SUMMARY.md']
    : [];
  return path =>
    rules.ignores(path) ||
    patterns.some(pattern => pattern.test(path)) ||
    navigationFiles.includes(nameOf(path));
}

function safeRegExp(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})`);
  } catch {
    return undefined;
  }
}

function pageAt(file: string, source: string, config: MkDocsConfig, draft: boolean): MkDocsPage {
  const language = languageOf(source, config);
  const path = sitePathOf(language.folder, sitePath(language.path));
  const url = withBase(basePathOf(config.siteUrl ?? undefined), written(path, source, config));
  const place = { inNavigation: false, title: null, crumbs: [] };
  return { file, source, path, url, language: language.tag, version: null, draft, ...place };
}

function sitePath(path: string): string {
  return path.replace(PAGE, '').replace(/(^|\/)(?:index|README)$/, '$1');
}

function written(path: string, source: string, config: MkDocsConfig): string {
  if (config.directoryUrls) return path === '/' ? '/' : `${path}/`;
  const isFolder = /(?:^|\/)(?:index|README)(?:\.\w+)?\.\w+$/.test(source);
  return isFolder ? `${path === '/' ? '' : path}/index.html` : `${path}.html`;
}

/** The plugin mkdocs-static-i18n: `page.fr.md` or `fr/page.md`. */
function languageOf(path: string, config: MkDocsConfig) {
  const options = config.plugins.get('i18n');
  const languages = Array.isArray(options?.languages) ? options.languages.map(objectOf) : [];
  const tags = languages.flatMap(one => textOf(one.locale) ?? []);
  const main = textOf(languages.find(one => one.default === true)?.locale) ?? tags[0];
  if (main === undefined)
    return { tag: textOf(objectOf(config.settings.theme).language) ?? null, folder: '', path };
  const named =
    options?.docs_structure === 'folder'
      ? /^([^/]+)\/(.*)$/.exec(path)
      : /^(.*)\.([\w-]+)(\.\w+)$/.exec(path);
  const [tag, rest] =
    options?.docs_structure === 'folder'
      ? [named?.[1], named?.[2]]
      : [named?.[2], named && `${named[1]}${named[3]}`];
  const known = tag !== undefined && tags.includes(tag);
  const language = known ? tag : main;
  return {
    tag: language,
    folder: language === main ? '' : language,
    path: known ? (rest ?? path) : path,
  };
}

/** What MkDocs calls a page that the navigation gives no title. */
export function ownTitle(page: MkDocsPage, outline: PageOutline): string {
  const { title } = outline.frontMatter;
  if (typeof title === 'string' || typeof title === 'number') return String(title);
  const heading = firstTitle(outline)?.replace(/\s*\{[^}]*\}\s*$/, '');
  if (heading) return heading;
  return page.path === '/' ? 'Home' : humanized(nameOf(page.source).replace(PAGE, ''));
}

/** `getting-started` as `Getting started`; names with capitals stay. */
export function humanized(name: string): string {
  const words = name.replace(/[-_]/g, ' ');
  return words === words.toLowerCase() ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}
