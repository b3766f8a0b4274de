import { below, joinPath, sitePathOf } from '../paths.ts';
import { UNPLACED } from '../navigation.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import type { BlogPlugin, DocusaurusConfig } from './config.ts';
import { textOf, written } from './docs.ts';

/** A blog post, or a Markdown page of `src/pages`. Neither is in a sidebar of the docs. */
export interface OtherPage extends SitePage {
  kind: 'blog' | 'page';
}

export function readOtherPages(source: SiteSource, config: DocusaurusConfig): OtherPage[] {
  const posts = config.blogs.flatMap(blog => readPosts(source, config, blog));
  return [...posts, ...readPlainPages(source, config)];
}

function readPosts(source: SiteSource, config: DocusaurusConfig, blog: BlogPlugin): OtherPage[] {
  return source.paths.flatMap(file => {
    const path = below(blog.folder, file);
    if (path === undefined || !/\.mdx?$/.test(path) || /(?:^|\/)_/.test(path)) return [];
    const { frontMatter } = source.outline(file, config.syntaxOf(file));
    const slug = textOf(frontMatter.slug) ?? postSlug(path);
    const route = sitePathOf(blog.routeBasePath, slug);
    return [otherPage('blog', file, route, frontMatter.draft === true, config)];
  });
}

/** `2024-01-31-news.md` is `2024/01/31/news`. */
function postSlug(path: string): string {
  const bare = path.replace(/(?:\/index)?\.mdx?$/, '');
  const match = /^(.*?)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*)$/.exec(bare);
  if (!match) return bare;
  const [, folder = '', date = '', text = ''] = match;
  return `${date.replaceAll('-', '/')}/${folder}${text}`;
}

function readPlainPages(source: SiteSource, config: DocusaurusConfig): OtherPage[] {
  const { pagesFolder } = config;
  if (pagesFolder === null) return [];
  return source.paths.flatMap(file => {
    const path = below(pagesFolder, file);
    if (path === undefined || !/\.mdx?$/.test(path) || /(?:^|\/)_/.test(path)) return [];
    const route = sitePathOf(path.replace(/(?:(?:^|\/)index)?\.mdx?$/, ''));
    return [
      otherPage(
        'page',
        file,
        route,
        source.outline(file, config.syntaxOf(file)).frontMatter.draft === true,
        config,
      ),
    ];
  });
}

/** Paths that components make: `src/pages/about.tsx`. */
export function componentPages(source: SiteSource, config: DocusaurusConfig): string[] {
  return source.paths.flatMap(file => {
    const path = config.pagesFolder === null ? undefined : below(config.pagesFolder, file);
    if (path === undefined || !/\.[jt]sx?$/.test(path) || /(?:^|\/)_|\.test\./.test(path))
      return [];
    return [sitePathOf(path.replace(/(?:(?:^|\/)index)?\.[jt]sx?$/, ''))];
  });
}

/** Lists and tags that the blog makes. */
export function blogRoutes(config: DocusaurusConfig): string[] {
  return config.blogs.flatMap(({ routeBasePath }) => {
    const base = sitePathOf(routeBasePath);
    const within = (path: string) => joinPath(base, path) ?? path;
    return [
      base,
      `/${within('archive')}`,
      `/${within('tags')}/*`,
      `/${within('authors')}/*`,
      `/${within('page')}/*`,
    ];
  });
}

function otherPage(
  kind: OtherPage['kind'],
  file: string,
  path: string,
  draft: boolean,
  config: DocusaurusConfig,
): OtherPage {
  const url = written(path, false, config);
  return { ...UNPLACED, kind, file, path, url, language: config.defaultLocale, draft };
}
