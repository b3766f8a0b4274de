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
  const written = pages.map(page => {
    const text = textOf(page);
    const isCode = codeBlocks(text);
    const links = Array.from(text.matchAll(LINK)).filter(({ index }) => !isCode(index));
    return { page, text, isCode, targets: targetsOf(links, page.path, site.basePath) };
  });
  const paths = written.flatMap(({ targets }) => [...targets.values()].flat());
  const known =
    paths.length === 0 ? new Set<string>() : await pathsOfOpenPages(site.db, site.projectId, paths);
  return written
    .map(({ page, text, isCode, targets }) => {
      const linked = text.replace(LINK, (url, index: number) => {
        const found = isCode(index) ? undefined : targets.get(url)?.find(one => known.has(one));
        return found === undefined ? url : markdownOf(site, found, url);
      });
      return `${headOf(site, page)}${linked}\n\n`;
    })
    .join('');
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
