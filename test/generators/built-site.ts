import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** A site as its generator wrote it. */
export interface BuiltSite {
  /** Every HTML file, by its path below the output. */
  pages: string[];
  html(page: string): string;
  /** The HTML file that a host serves for an address below the base path. */
  fileAt(path: string): string | undefined;
  /** Ids of the headings of a page, in order; of Sphinx, of its sections. */
  headingIds(page: string): string[];
  hasId(page: string, id: string): boolean;
  /** `page -> link` for every link within the site that leads to no file or no element. */
  deadLinks(): string[];
}

export function builtSite(output: string, basePath: string): BuiltSite {
  const pages = readdirSync(output, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.html'))
    .toSorted();
  const html = (page: string) => readFileSync(join(output, page), 'utf8');
  const isFile = (path: string) =>
    existsSync(join(output, path)) && statSync(join(output, path)).isFile();
  const fileAt = (path: string) => {
    const bare = decodeURIComponent(path).replace(/^\//, '');
    return [bare, `${bare}.html`, posix.join(bare, 'index.html')].find(
      one => one !== '' && isFile(one),
    );
  };
  const hasId = (page: string, id: string) =>
    new RegExp(`\\s(?:id|name)=(?:"${escaped(id)}"|${escaped(id)}[\\s>])`).test(html(page));
  return {
    pages,
    html,
    fileAt,
    hasId,
    headingIds: page =>
      Array.from(
        html(page).matchAll(/<(?:h[1-6]|section)\b[^>]*?\sid="?([^"\s>]+)/g),
        match => match[1] ?? '',
      ),
    deadLinks: () =>
      pages.flatMap(page =>
        linksOf(html(page)).flatMap(link => {
          const target = targetOf(link, page, basePath);
          if (target === undefined) return [];
          const file = target.path === '' ? page : fileAt(target.path);
          const isFine =
            file !== undefined &&
            (target.anchor === '' || !file.endsWith('.html') || hasId(file, target.anchor));
          return isFine ? [] : [`${page} -> ${link}`];
        }),
      ),
  };
}

/** Addresses of the links of a page, as written. */
export function linksOf(html: string): string[] {
  return Array.from(html.matchAll(/<a\b[^>]*?\shref=(?:"([^"]*)"|([^\s>]+))/g), match =>
    (match[1] ?? match[2] ?? '').replaceAll('&amp;', '&'),
  );
}

/** Where a link on a page leads, below the base path; undefined outside the site. */
export function targetOf(
  link: string,
  page: string,
  basePath: string,
): { path: string; anchor: string } | undefined {
  if (/^(?:[a-z]+:|\/\/)/i.test(link)) return undefined;
  const [, raw = '', anchor = ''] = /^([^?#]*)(?:\?[^#]*)?#?(.*)$/.exec(link) ?? [];
  if (raw === '') return { path: '', anchor: decodeURIComponent(anchor) };
  const base = basePath === '/' ? '' : basePath;
  if (raw.startsWith('/') && raw !== base && !raw.startsWith(`${base}/`)) return undefined;
  const path = raw.startsWith('/') ? raw.slice(base.length) : posix.join(dirname(page), raw);
  return { path: path === '' || path === '.' ? '/' : path, anchor: decodeURIComponent(anchor) };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
