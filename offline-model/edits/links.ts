import { posix } from 'node:path';
import { likelyLinks, type PageLink, pageLinks } from '../../shared/site/page-links.ts';
import { resolveLink, type SiteFiles, siteFiles } from '../../shared/site/resolve-link.ts';
import { parsePage } from '../../shared/site/markdown.ts';
import { isRoute, type Navigation, NAVIGATION_FILES } from '../../shared/site/navigation.ts';
import { navigationReading } from '../../shared/site/read-navigation.ts';
import { cleanSitePath } from '../../shared/site/page-path.ts';
import type { Desk, Report, Work } from '../desk.ts';
import type { Scope } from '../instruction.ts';
import { findArea } from '../area.ts';
import { count, search } from '../pages.ts';
import { slips } from '../slips.ts';

const HTTP = /http:\/\/([\w.-]+[\w])(:\d+)?(?=[/?#)\s"'<>`\],.;]|$)/g;
/** Hosts that nobody reaches over the web, and names that only look like addresses. */
const NOT_WEB =
  /^(?:localhost|[^.]+|(?:\d+\.){3}\d+|.*\.(?:example|local|localhost|internal|test|invalid|lan)|(?:.*\.)?example\.(?:com|org|net)|www\.w3\.org|json-schema\.org|schemas?\..*|xmlns\..*|purl\.org|ns\.adobe\.com)$/i;

/** Makes `http:` links to public hosts `https:`. */
export function* useHttps(desk: Desk, scope: Scope, report: Report): Work<void> {
  const hits = yield* search(desk, 'http://[a-z0-9]', false, '**/*.{md,mdx}');
  const holding = [...new Set(hits.map(hit => hit.path))];
  const area = yield* findArea(desk, scope, holding, false);
  if (area.reason !== undefined) return void report.sentences.push(area.reason);
  const texts = yield* desk.readAll(area.paths);
  let places = 0;
  for (const [path, lines] of texts) {
    const before = places;
    const within = area.lines?.get(path);
    const after = lines.map((line, index) =>
      line.replace(HTTP, (match, host: string, port?: string) => {
        if (port || (within && !within.has(index)) || NOT_WEB.test(host)) return match;
        places++;
        return match.replace('http:', 'https:');
      }),
    );
    if (places > before) desk.change(path, after, report);
  }
  report.sentences.push(
    places > 0
      ? `Changed ${count(places, 'http link')} to https; local and reserved hosts stay as they are. I cannot tell whether every host answers over https.`
      : 'I found no http links to public hosts.',
  );
}

/** What the docs' links are resolved against. */
export function* readSite(desk: Desk): Work<SiteFiles> {
  const pages = yield* desk.pages();
  return siteFiles(pages, desk.root || sharedFolder(pages));
}

/**
 * The page's lines with new addresses for the links that `to` gives one, and how many these are.
 * What looks like a link in code is none.
 */
export function relinked(
  path: string,
  lines: string[],
  to: (link: PageLink) => string | undefined,
): { lines: string[]; links: number } {
  const text = lines.join('\n');
  const found = pageLinks(parsePage(path, text).tree, text).flatMap(link => {
    const url = link.range && to(link);
    return link.range && url !== undefined ? [{ ...link.range, url }] : [];
  });
  const changed = found
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, url }) => rest.slice(0, start) + url + rest.slice(end), text);
  return { lines: changed.split('\n'), links: found.length };
}

/**
 * Points internal links that lead nowhere at the page that they can only mean; names the others.
 */
export function* mendLinks(desk: Desk, scope: Scope, report: Report, only?: string[]): Work<void> {
  const pages = yield* desk.pages();
  const site = yield* readSite(desk);
  const hits = yield* search(
    desk,
    '\\]\\([^)#]|href=["\'][^"\'#]|^[ >]*\\[[^\\]]+\\]:',
    false,
    '**/*.{md,mdx}',
  );
  const maybe = new Set(
    hits
      .filter(
        ({ text, path }) =>
          /^…|…$/.test(text) || likelyLinks(text).some(url => isBroken(url, path, site)),
      )
      .map(hit => hit.path),
  );
  const navigation = yield* readSiteNavigation(desk, site);
  if (navigation.unread !== undefined)
    return void report.failures.push(
      `I left the links alone: ${navigation.unread} cannot be read, and a link that leads to no page may be a redirect there. Mend that file first.`,
    );
  const broken = (url: string, path: string) =>
    isBroken(url, path, site) && !leadsByRoute(url, path, site, navigation.read);
  const area = yield* findArea(
    desk,
    scope,
    [...maybe].filter(path => only?.includes(path) ?? true),
    false,
  );
  if (area.reason !== undefined) return void report.sentences.push(area.reason);
  const texts = yield* desk.readAll(area.paths);
  const open: string[] = [];
  let mended = 0;
  for (const [path, lines] of texts) {
    const within = area.lines?.get(path);
    const changed = relinked(path, lines, ({ kind, url, line }) => {
      if (kind !== 'link' || (within && !within.has(line - 1)) || !broken(url, path))
        return undefined;
      const target = nearestPage(url, pages);
      if (!target) open.push(`${url} in ${path}`);
      return target && relink(url, path, target, site.docsFolder);
    });
    if (changed.links > 0) desk.change(path, changed.lines, report);
    mended += changed.links;
  }
  if (mended > 0) report.sentences.push(`Mended ${count(mended, 'link')}.`);
  if (open.length > 0)
    report.sentences.push(
      `${open.length === 1 ? 'This link leads' : 'These links lead'} nowhere and I cannot tell what is meant: ${open.slice(0, 10).join('; ')}.`,
    );
  if (mended === 0 && open.length === 0) report.sentences.push('I found no broken internal links.');
}

/**
 * What the site makes of its redirects; `unread` is a navigation file that is there and cannot be
 * read.
 */
function* readSiteNavigation(
  desk: Desk,
  site: SiteFiles,
): Work<{ read: Navigation; unread?: never } | { unread: string }> {
  const [listed = ''] = yield* desk.callsInFull([
    { name: 'list_files', input: { glob: `**/{${NAVIGATION_FILES.join(',')}}` } },
  ]);
  const there = new Set(listed.split('\n'));
  const reading = navigationReading(site.docsFolder);
  let state = reading.next();
  while (!state.done) {
    const path = state.value;
    const optional = NAVIGATION_FILES.some(
      file => path === file || path === `${site.docsFolder}/${file}`,
    );
    const lines = optional && !there.has(path) ? undefined : yield* desk.read(path);
    if (optional && there.has(path) && !lines) return { unread: path };
    state = reading.next(lines?.join('\n'));
  }
  const [error] = state.value.errors;
  return error ? { unread: error.file } : { read: state.value };
}

function leadsByRoute(url: string, from: string, site: SiteFiles, navigation: Navigation): boolean {
  const target = resolveLink(url, from, site);
  return target.kind === 'internal' && isRoute(navigation, target.path, site.docsFolder);
}

/**
 * A link to a page of ours that is not there. Files that are no pages, and what lies outside of the
 * docs, are not judged: only pages are known.
 */
function isBroken(url: string, from: string, site: SiteFiles): boolean {
  const target = resolveLink(url, from, site);
  return (
    target.kind === 'internal' &&
    target.file === undefined &&
    `${target.path}/`.startsWith(site.docsFolder && `${site.docsFolder}/`) &&
    !/\.(?!mdx?$)[a-z0-9]{2,5}$/i.test(target.path)
  );
}

/** The only page with the link's name; else the only one whose name is a slip away. */
function nearestPage(link: string, pages: string[]): string | undefined {
  const wanted = name(cleanSitePath(link));
  const same = pages.filter(page => name(page) === wanted);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const near = pages.filter(page => slips(name(page), wanted) <= (wanted.length > 6 ? 2 : 1));
  return near.length === 1 ? near[0] : undefined;
}

/**
 * A link to `target` in the form of the broken one: absolute or relative, with or without ending,
 * its anchor kept.
 */
function relink(link: string, from: string, target: string, root: string): string {
  const anchor = /[?#].*$/.exec(link)?.[0] ?? '';
  const ending = /\.mdx?$/i.test(plain(link));
  const bare = ending ? target : target.replace(/(?:\/index|\/README)?\.mdx?$/i, '');
  if (link.startsWith('/'))
    return `${encodeURI(`/${root === '' ? bare : posix.relative(root, bare)}`)}${anchor}`;
  const relative = posix.relative(posix.dirname(from), bare);
  return `${encodeURI(relative.startsWith('.') || !link.startsWith('.') ? relative : `./${relative}`)}${anchor}`;
}

function plain(link: string): string {
  return link.replace(/[?#].*$/, '');
}

/** A page's own name; an index page is named by its folder. */
function name(path: string): string {
  return (
    path
      .replace(/(?:\/index|\/README)?\.mdx?$/i, '')
      .replace(/\/$/, '')
      .split('/')
      .at(-1)
      ?.toLowerCase() ?? ''
  );
}

/** The folder that all pages share: absolute links may count from it. */
function sharedFolder(pages: string[]): string {
  const folders = pages.map(page => posix.dirname(page));
  let root = folders[0] ?? '';
  for (const folder of folders)
    while (root !== '' && root !== '.' && folder !== root && !folder.startsWith(`${root}/`))
      root = posix.dirname(root);
  return root === '.' ? '' : root;
}
