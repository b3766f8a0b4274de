import { type OpenPage, pathsOfOpenPages } from '../../../db/search/open-pages.ts';
import { pageUrl } from '../../../db/search/page-url.ts';
import { codeBlocks } from '../../../sites/kinds/cut-text.ts';
import { withoutStatements } from '../../../sites/kinds/imported-markdown.ts';
import { folderOf, isExternal, sitePathOf } from '../../../sites/kinds/paths.ts';
import { cleanSitePath } from '../../../sites/page-path.ts';
import { addressOf, type MarkdownSite } from './markdown-site.ts';
import { forAgents } from './visibility.ts';

const LINK = /(?<=\]\([ \t]*<?)[^()\s<>"'`]{1,500}/g;

/**
 * A page as agents read it: its title, address and description, then its text, without what only a
 * compiler needs. Links to other pages lead to their Markdown.
 */
export async function pageMarkdown(site: MarkdownSite, page: OpenPage): Promise<string> {
  const address = { site_url: site.address, base_path: site.basePath };
  const title = page.title.replace(/\s+/g, ' ').trim();
  const description = page.description.replace(/\s+/g, ' ').trim();
  const body = withoutStatements(forAgents(page.content)).trim();
  const [first = '', ...rest] = body.split('\n');
  const text =
    /^#[ \t]/.test(first) && first.slice(1).trim() === title ? rest.join('\n').trim() : body;
  const about = description === '' ? '' : `> ${description}\n\n`;
  const head = `# ${title}\nSource: ${pageUrl(address, page.url ?? page.path)}\n\n${about}`;
  return `${head}${await withLinks(site, page.path, text)}\n\n`;
}

/** Those that lead to pages as they are written, or beside or below the page's own path. */
async function withLinks(site: MarkdownSite, path: string, text: string): Promise<string> {
  const isCode = codeBlocks(text);
  const targets = new Map<string, string[]>();
  for (const { 0: url, index } of text.matchAll(LINK))
    if (!isCode(index) && !isExternal(url) && !url.startsWith('#'))
      targets.set(url, pathsOf(url, path, site.basePath));
  if (targets.size === 0) return text;
  const known = await pathsOfOpenPages(site.db, site.projectId, [...targets.values()].flat());
  return text.replace(LINK, (url, index: number) => {
    const found = isCode(index) ? undefined : targets.get(url)?.find(one => known.has(one));
    if (found === undefined) return url;
    const anchor = /#.*$/.exec(url)?.[0] ?? '';
    return addressOf(site, found === '/' ? '/index.md' : `${found}.md`) + anchor;
  });
}

function pathsOf(url: string, from: string, basePath: string): string[] {
  const [written = ''] = url.split(/[?#]/);
  const based =
    basePath !== '/' && written.startsWith(`${basePath}/`)
      ? written.slice(basePath.length)
      : written;
  const tops = written.startsWith('/') ? [''] : [folderOf(from), from];
  return tops.map(top => cleanSitePath(sitePathOf(top, based)) ?? '');
}
