import { type OpenPage, pathsOfOpenPages } from '../../../db/search/open-pages.ts';
import { pageUrl } from '../../../db/search/page-url.ts';
import { codeBlocks } from '../../../sites/kinds/cut-text.ts';
import { withoutStatements } from '../../../sites/kinds/imported-markdown.ts';
import { folderOf, isExternal, sitePathOf } from '../../../sites/kinds/paths.ts';
import { cleanSitePath } from '../../../sites/page-path.ts';
import { addressOf, type MarkdownSite } from './markdown-site.ts';
import { forAgents } from './visibility.ts';

/** The address of a link; looking back for more spaces would take quadratic time. */
const LINK = /(?<=\]\([ \t]{0,10}<?)[^()\s<>"'`]{1,500}/g;

/**
 * Pages as agents read them: title, address and description, then the text, without what only a
 * compiler needs. Links to other pages lead to their Markdown.
 */
export async function pagesMarkdown(
  site: MarkdownSite,
  pages: readonly OpenPage[],
): Promise<string> {
  const texts = pages.map(page => ({ path: page.path, text: textOf(page) }));
  const linked = await relink(site, texts, ({ url, found }) =>
    found === undefined ? url : markdownOf(site, found.path, url),
  );
  return pages.map((page, at) => `${headOf(site, page)}${linked[at]}\n\n`).join('');
}

/** A link as it is written, and the page of the site that it leads to. */
export interface FoundLink {
  url: string;
  found: { path: string; url: string | null } | undefined;
}

/** Markdown of pages, with other addresses in its links: those in code stay as they are. */
export async function relink(
  site: Pick<MarkdownSite, 'db' | 'projectId' | 'basePath'>,
  texts: readonly { path: string; text: string }[],
  addressFor: (link: FoundLink, path: string) => string,
): Promise<string[]> {
  const read = texts.map(({ path, text }) => {
    const isCode = codeBlocks(text);
    const links = Array.from(text.matchAll(LINK)).filter(({ index }) => !isCode(index));
    return { path, text, isCode, targets: targetsOf(links, path, site.basePath) };
  });
  const paths = read.flatMap(({ targets }) => [...targets.values()].flat());
  const known =
    paths.length === 0
      ? new Map<string, string | null>()
      : await pathsOfOpenPages(site.db, site.projectId, paths);
  return read.map(({ path, text, isCode, targets }) =>
    text.replace(LINK, (url, index: number) => {
      if (isCode(index)) return url;
      const target = targets.get(url)?.find(one => known.has(one));
      const found = target === undefined ? undefined : { path: target, url: known.get(target)! };
      return addressFor({ url, found }, path);
    }),
  );
}

function headOf(site: MarkdownSite, page: OpenPage): string {
  const address = { site_url: site.address, base_path: site.basePath };
  const description = inLine(page.description);
  const about = description === '' ? '' : `> ${description}\n\n`;
  return `# ${inLine(page.title)}\nSource: ${pageUrl(address, page.url ?? page.path)}\n\n${about}`;
}

/** Without a first heading that is the title. */
function textOf(page: OpenPage): string {
  const body = withoutStatements(forAgents(page.content)).trim();
  const [first = '', ...rest] = body.split('\n');
  const isTitle = /^#[ \t]/.test(first) && first.slice(1).trim() === inLine(page.title);
  return isTitle ? rest.join('\n').trim() : body;
}

/** Without line breaks. */
export function inLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Where each link may lead: as it is written, or beside or below the page's own path. */
function targetsOf(links: readonly RegExpExecArray[], path: string, basePath: string) {
  const own = links.filter(([url]) => !isExternal(url) && !url.startsWith('#'));
  return new Map(own.map(([url]) => [url, pathsOf(url, path, basePath)]));
}

function markdownOf(site: MarkdownSite, path: string, url: string): string {
  const anchor = /#.*$/.exec(url)?.[0] ?? '';
  return addressOf(site, path === '/' ? '/index.md' : `${path}.md`) + anchor;
}

function pathsOf(url: string, from: string, basePath: string): string[] {
  const [written = ''] = url.split(/[?#]/);
  const based =
    basePath !== '/' && written.startsWith(`${basePath}/`)
      ? written.slice(basePath.length)
      : written;
  const tops = written.startsWith('/') ? [''] : [folderOf(from), from];
  return tops.map(top => cleanSitePath(sitePathOf(top, based)));
}
