import { posix } from 'node:path';
import type { Desk, Report, Work } from '../desk.ts';
import type { Scope } from '../instruction.ts';
import { findArea } from '../area.ts';
import { count, search } from '../pages.ts';
import { slips } from '../slips.ts';

const HTTP = /http:\/\/([\w.-]+[\w])(:\d+)?(?=[/?#)\s"'<>`\],.;]|$)/g;
/** Hosts that nobody reaches over the web, and names that only look like addresses. */
const NOT_WEB = /^(?:localhost|[^.]+|(?:\d+\.){3}\d+|.*\.(?:example|local|localhost|internal|test|invalid|lan)|(?:.*\.)?example\.(?:com|org|net)|www\.w3\.org|json-schema\.org|schemas?\..*|xmlns\..*|purl\.org|ns\.adobe\.com)$/i;

/** Makes `http:` links to public hosts `https:`. */
export function* useHttps(desk: Desk, scope: Scope, report: Report): Work<void> {
  const hits = yield* search(desk, 'http://[a-z0-9]', false, '**/*.{md,mdx}');
  const holding = [...new Set(hits.map((hit) => hit.path))];
  const area = yield* findArea(desk, scope, holding, false);
  if (area.reason !== undefined) return void report.sentences.push(area.reason);
  const texts = yield* desk.readAll(area.paths);
  let places = 0;
  for (const [path, lines] of texts) {
    const before = places;
    const within = area.lines?.get(path);
    const after = lines.map((line, index) => line.replace(HTTP, (match, host: string, port?: string) => {
      if (port || (within && !within.has(index)) || NOT_WEB.test(host)) return match;
      places++;
      return match.replace('http:', 'https:');
    }));
    if (places > before) desk.change(path, after, report);
  }
  report.sentences.push(places > 0 ? `Changed ${count(places, 'http link')} to https; local and reserved hosts stay as they are. I cannot tell whether every host answers over https.` : 'I found no http links to public hosts.');
}

const LINK = /(\]\(|href=["'])([^)"'\s]+)/g;

/** Points internal links that lead nowhere at the page that they can only mean; names the others. */
export function* mendLinks(desk: Desk, scope: Scope, report: Report, only?: string[]): Work<void> {
  const pages = yield* desk.pages();
  const root = desk.root || sharedFolder(pages);
  const hits = yield* search(desk, '\\]\\([^)#][^):]*\\)|href=["\'][^"\'#:]+["\']', false, '**/*.{md,mdx}');
  const broken = new Set(hits.filter((hit) => hit.text.endsWith('…') || links(hit.text).some((link) => isBroken(link, hit.path, pages, root))).map((hit) => hit.path));
  const area = yield* findArea(desk, scope, [...broken].filter((path) => only?.includes(path) ?? true), false);
  if (area.reason !== undefined) return void report.sentences.push(area.reason);
  const texts = yield* desk.readAll(area.paths);
  const open: string[] = [];
  let mended = 0;
  for (const [path, lines] of texts) {
    const before = mended;
    const within = area.lines?.get(path);
    const after = lines.map((line, index) => line.replace(LINK, (match, lead: string, link: string) => {
      if ((within && !within.has(index)) || !isBroken(link, path, pages, root)) return match;
      const target = nearestPage(link, pages);
      if (!target) return open.push(`${link} in ${path}`), match;
      mended++;
      return lead + relink(link, path, target, root);
    }));
    if (mended > before) desk.change(path, after, report);
  }
  if (mended > 0) report.sentences.push(`Mended ${count(mended, 'link')}.`);
  if (open.length > 0) report.sentences.push(`${open.length === 1 ? 'This link leads' : 'These links lead'} nowhere and I cannot tell what is meant: ${open.slice(0, 10).join('; ')}.`);
  if (mended === 0 && open.length === 0) report.sentences.push('I found no broken internal links.');
}

function links(text: string): string[] {
  return [...text.matchAll(LINK)].map((match) => match[2] ?? '');
}

/** A link to a page of ours that is not there. Files that are no pages, other sites and anchors are not judged. */
function isBroken(link: string, from: string, pages: string[], root: string): boolean {
  const path = plain(link);
  if (path === '' || path === '/' || /^(?:[a-z][\w+.-]*:|\/\/|#|\{|<)/i.test(link) || /\.(?!mdx?$)[a-z0-9]{2,5}$/i.test(path)) return false;
  const full = path.startsWith('/') ? posix.join(root, path) : posix.join(posix.dirname(from), path);
  const fromRoot = posix.join(root, path);
  const there = new Set(pages);
  // Some sites serve a folder of the docs folder as their root: a page with this very path is no broken link.
  if (path.startsWith('/') && pages.some((page) => `/${page.replace(/(?:\/index|\/README)?\.mdx?$/i, '')}`.endsWith(path.replace(/(?:\/index|\/README)?\.mdx?$|\/$/i, '')))) return false;
  return ![full, fromRoot].some((base) => ['', '.md', '.mdx', '/index.md', '/index.mdx', '/README.md'].some((end) => there.has(base.replace(/\/$/, '') + end)));
}

/** The only page with the link's name; else the only one whose name is a slip away. */
function nearestPage(link: string, pages: string[]): string | undefined {
  const wanted = name(plain(link));
  const same = pages.filter((page) => name(page) === wanted);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const near = pages.filter((page) => slips(name(page), wanted) <= (wanted.length > 6 ? 2 : 1));
  return near.length === 1 ? near[0] : undefined;
}

/** A link to `target` in the form of the broken one: absolute or relative, with or without ending, its anchor kept. */
function relink(link: string, from: string, target: string, root: string): string {
  const anchor = /[?#].*$/.exec(link)?.[0] ?? '';
  const ending = /\.mdx?$/i.test(plain(link));
  const bare = ending ? target : target.replace(/(?:\/index|\/README)?\.mdx?$/i, '');
  if (link.startsWith('/')) return `/${root === '' ? bare : posix.relative(root, bare)}${anchor}`;
  const relative = posix.relative(posix.dirname(from), bare);
  return `${relative.startsWith('.') || !link.startsWith('.') ? relative : `./${relative}`}${anchor}`;
}

function plain(link: string): string {
  return link.replace(/[?#].*$/, '');
}

/** A page's own name; an index page is named by its folder. */
function name(path: string): string {
  return path.replace(/(?:\/index|\/README)?\.mdx?$/i, '').replace(/\/$/, '').split('/').at(-1)?.toLowerCase() ?? '';
}

/** The folder that all pages share: absolute links may count from it. */
function sharedFolder(pages: string[]): string {
  const folders = pages.map((page) => posix.dirname(page));
  let root = folders[0] ?? '';
  for (const folder of folders) while (root !== '' && root !== '.' && folder !== root && !folder.startsWith(`${root}/`)) root = posix.dirname(root);
  return root === '.' ? '' : root;
}
