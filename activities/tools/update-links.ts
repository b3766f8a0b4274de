import { posix } from 'node:path';
import { likelyLinks, pageLinks, type PageLink } from '../../shared/site/page-links.ts';
import { resolveLink, type SiteFiles } from '../../shared/site/resolve-link.ts';
import { isPagePath, parsePage } from '../../shared/site/markdown.ts';
import { textFiles } from './files.ts';
import { writeTextFile } from './text.ts';
import type { ToolContext } from './tool.ts';

/**
 * One file that moves: links to `from` will lead to `to`, which is a repository path or an address
 * elsewhere.
 */
export interface Move {
  from: string;
  to: string;
}

export interface UpdatedLinks {
  /** Pages that were changed, with the number of links. */
  updated: { path: string; links: number }[];
  /** Links that still lead to the old place: `path:line`. */
  left: string[];
}

/**
 * Points every link of the docs that leads to `move.from` to `move.to`. `site` is the tree before
 * the move.
 */
export async function updateInboundLinks(
  move: Move,
  site: SiteFiles,
  context: ToolContext,
): Promise<UpdatedLinks> {
  const result: UpdatedLinks = { updated: [], left: [] };
  for await (const { path, text } of linkingPages(move.from, site, context)) {
    const {
      text: changed,
      links,
      left,
    } = rewriteLinks(text, {
      page: path,
      site,
      target: file => (file === move.from ? move.to : undefined),
    });
    const refusal = links > 0 ? writeTextFile(path, changed, context) : undefined;
    if (refusal !== undefined) result.left.push(path);
    else if (links > 0) result.updated.push({ path, links });
    result.left.push(...left.map(line => `${path}:${line}`));
  }
  return result;
}

/** Every link of the docs that leads to a file. */
export async function inboundLinks(
  file: string,
  site: SiteFiles,
  context: ToolContext,
): Promise<{ path: string; link: PageLink }[]> {
  const found: { path: string; link: PageLink }[] = [];
  for await (const { path, text } of linkingPages(file, site, context)) {
    for (const link of pageLinks(parsePage(path, text).tree, text)) {
      const target = resolveLink(link.url, path, site);
      if (target.kind === 'internal' && target.file === file) found.push({ path, link });
    }
  }
  return found;
}

/**
 * The page's text with its own relative links as they must be once it is at another place;
 * `left` are lines with links that could not be changed.
 */
export function relocateLinks(
  text: string,
  move: Move,
  site: SiteFiles,
): { text: string; left: number[] } {
  return rewriteLinks(text, {
    page: move.from,
    newPage: move.to,
    site,
    target: file => (file === move.from ? move.to : file),
  });
}

interface Rewriting {
  page: string;
  /** The page's new place, if the page itself moves. */
  newPage?: string;
  site: SiteFiles;
  /** The new target of a link to `file`; undefined leaves the link alone. */
  target(file: string): string | undefined;
}

function rewriteLinks(
  text: string,
  { page, newPage = page, site, target }: Rewriting,
): { text: string; links: number; left: number[] } {
  let changed = text;
  let links = 0;
  const left: number[] = [];
  const byOffset = pageLinks(parsePage(page, text).tree, text).sort(
    (a, b) => (b.range?.start ?? 0) - (a.range?.start ?? 0),
  );
  for (const { url, line, range } of byOffset) {
    const resolved = resolveLink(url, page, site);
    if (resolved.kind === 'external' || url.startsWith('#') || url.startsWith('?')) continue;
    const to = target(resolved.file ?? resolved.path);
    if (to === undefined || (url.startsWith('/') && to === resolved.file)) continue;
    const rewritten = writeLink(url, to, newPage, site);
    if (rewritten === url) continue;
    if (!range) {
      left.push(line);
      continue;
    }
    changed = changed.slice(0, range.start) + rewritten + changed.slice(range.end);
    links += 1;
  }
  return { text: changed, links, left };
}

/**
 * A link to `to` in the style of `old`: absolute or relative, with or without extension, its query
 * and anchor kept.
 */
function writeLink(old: string, to: string, page: string, site: SiteFiles): string {
  const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(old) ?? [];
  if (/^[a-z][a-z\d+.-]*:/i.test(to)) return to;
  let file = to;
  if (isPagePath(to) && !/\.mdx?$/i.test(path)) {
    file = file.replace(/\.mdx?$/i, '');
    if (!/(?:^|\/)(?:index|README)$/.test(path)) file = file.replace(/(^|\/)(?:index|README)$/, '');
  }
  if (path.startsWith('/')) {
    const inDocs =
      site.docsFolder !== '' &&
      file.startsWith(`${site.docsFolder}/`) &&
      !path.startsWith(`/${site.docsFolder}/`);
    const rooted = inDocs ? file.slice(site.docsFolder.length + 1) : file;
    return encodeURI(`/${rooted}${slash(path, rooted)}`) + suffix;
  }
  const relative = posix.relative(posix.dirname(page), file) || '.';
  const dotted = path.startsWith('./') && !relative.startsWith('.') ? `./${relative}` : relative;
  return encodeURI(dotted + slash(path, dotted)) + suffix;
}

function slash(old: string, path: string): string {
  return old.endsWith('/') && path !== '' && !path.endsWith('/') ? '/' : '';
}

/** Pages of the docs that may link to a file. */
async function* linkingPages(
  file: string,
  site: SiteFiles,
  context: ToolContext,
): AsyncGenerator<{ path: string; text: string }> {
  const leadsThere = (url: string, from: string): boolean => {
    const target = resolveLink(url, from, site);
    return target.kind === 'internal' && target.file === file;
  };
  for await (const { path, text } of textFiles(undefined, context)) {
    if (isPagePath(path) && path !== file && likelyLinks(text).some(url => leadsThere(url, path)))
      yield { path, text };
  }
}
