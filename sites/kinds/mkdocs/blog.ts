import { firstTitle, type PageOutline } from '../../outline/page-outline.ts';
import { below, joinPath, nameOf } from '../paths.ts';
import { objectOf, textOf } from '../../values.ts';
import type { MkDocsConfig } from './config.ts';

/**
 * Where Material's plugin `blog` writes a post, as a source path: `blog/2026/01/31/title.md`.
 * Undefined if the file is not a post.
 */
export function postSource(
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
