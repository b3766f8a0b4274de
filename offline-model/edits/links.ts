import { posix } from 'node:path';
import { BROKEN_LINK, LINKS_NOT_UNDERSTOOD } from '../../shared/agent-text.ts';
import type { Desk, Report, Work } from '../desk.ts';
import { decode, linkTo, pagesWithLinks, relinked, resolve } from '../links.ts';
import { GENERATORS, VITEPRESS } from '../generators.ts';
import { findPlace } from '../places.ts';
import { count, someOf } from '../wording.ts';

/** Lines that may have a link. */
const LINKS = '\\]\\(|href\\s*=|^[ >]*\\[[^\\]]+\\]:';
/** Pages that others include: their links count from those. */
const PARTIAL = /(?:^|\/)(?:_[^/]*|snippets?|partials?|includes?)(?:\/|$)/i;

/** What is known about links that name no file. */
interface Routes {
  /** A generator builds the site, whose rules the tool `check` knows. */
  isGenerated?: boolean;
  /** Why only links that name a .md or .mdx file can be judged. */
  unknown?: string;
  /** Addresses that the site redirects. */
  redirects: RegExp[];
}

/**
 * Points links that lead to no page at the only page that has the name; names the others. Links
 * whose addresses the site's own generator makes are not judged.
 */
export function* fixLinks(desk: Desk, where: string | undefined, report: Report): Work<void> {
  const place = yield* findPlace(desk, where ?? '');
  if (place.reason !== undefined) return void report.failures.push(place.reason);
  const [pages, files] = [yield* desk.pages(), yield* desk.markdown()];
  const routes = yield* readRoutes(desk);
  if (typeof routes === 'string') return void report.failures.push(routes);
  if (routes.isGenerated) return yield* fixCheckedLinks(desk, where, place.paths, report);
  let unjudged = 0;
  const isBroken = (url: string, from: string) => {
    const target = resolve(desk, files, url, from);
    if (!target || target.page !== undefined || !isPageLink(desk, target.path, pages)) return false;
    const namesFile = /\.mdx?$/i.test(target.path) && !url.startsWith('/');
    if (routes.redirects.some(route => route.test(url.replace(/[?#].*$/, '')))) return false;
    if (namesFile || routes.unknown === undefined) return true;
    unjudged++;
    return false;
  };
  const maybe = yield* pagesWithLinks(desk, LINKS, isBroken);
  const texts = yield* desk.readAll(
    place.paths.filter(path => maybe.includes(path) && !PARTIAL.test(path)),
  );
  unjudged = 0;
  const fixed: string[] = [];
  const open: string[] = [];
  for (const [path, lines] of texts) {
    const after = relinked(lines, ({ url, line }) => {
      if (!isBroken(url, path)) return undefined;
      const page = samePage(url, pages);
      const fresh = page && linkTo(desk, page, path, url);
      if (fresh === undefined || resolve(desk, files, fresh, path)?.page !== page) {
        open.push(`${path}:${line} (${url})`);
        return undefined;
      }
      fixed.push(`${path}:${line} (${url} is now ${fresh})`);
      return fresh;
    });
    desk.change(path, after, report);
  }
  tell(report, where, { fixed, open, unknown: unjudged > 0 ? routes.unknown : undefined });
}

/** On a site that a generator builds: what `check` says of it, and the links that it suggests. */
function* fixCheckedLinks(
  desk: Desk,
  where: string | undefined,
  paths: string[],
  report: Report,
): Work<void> {
  const { text, isError } = yield* desk.call('check', { all: true });
  const refusal = LINKS_NOT_UNDERSTOOD.exec(text)?.[0];
  if (isError || refusal !== undefined)
    return void report.failures.push(`I left the links alone. ${refusal ?? text}`);
  const broken = Array.from(text.matchAll(BROKEN_LINK), ([, path = '', line, url = '', meant]) => ({
    path,
    line: Number(line),
    url,
    meant,
  })).filter(({ path }) => paths.includes(path));
  const fixed: string[] = [];
  const open: string[] = [];
  for (const [path, lines] of yield* desk.readAll([...new Set(broken.map(one => one.path))])) {
    const own = broken.filter(one => one.path === path);
    const done = new Set<(typeof own)[number]>();
    const after = relinked(lines, ({ url, line }) => {
      const found = own.find(one => one.url === url && one.line === line);
      if (found?.meant === undefined) return undefined;
      done.add(found);
      return found.meant;
    });
    for (const one of own)
      if (done.has(one)) fixed.push(`${path}:${one.line} (${one.url} is now ${one.meant})`);
      else open.push(`${path}:${one.line} (${one.url})`);
    desk.change(path, after, report);
  }
  tell(report, where, { fixed, open, unknown: undefined });
}

function tell(
  report: Report,
  where: string | undefined,
  { fixed, open, unknown }: { fixed: string[]; open: string[]; unknown: string | undefined },
): void {
  const inPlace = where === undefined ? '' : ` in ${where}`;
  if (unknown !== undefined) report.sentences.push(unknown);
  if (fixed.length > 0)
    report.sentences.push(`Fixed ${count(fixed.length, 'link')}${inPlace}: ${someOf(fixed)}.`);
  if (open.length > 0)
    report.sentences.push(
      `I left ${count(open.length, 'link')} that ${open.length === 1 ? 'leads' : 'lead'} to no ` +
        `page, because no page, or more than one, has that name: ${someOf(open)}.`,
    );
  if (fixed.length + open.length === 0)
    report.sentences.push(
      `I found no broken link to a page${inPlace}. I did not check images, anchors, other sites ` +
        'or links in snippets.',
    );
}

/** A link to a page of the docs, or to a Markdown file; of other files nothing is known. */
function isPageLink(desk: Desk, path: string, pages: string[]): boolean {
  const inDocs = `${path}/`.startsWith(desk.root && `${desk.root}/`);
  const isOther = /\.(?!mdx?$|html$)[a-z0-9]{1,5}$/i.test(path) || /(?:^|\/)\./.test(path);
  const isFolder = pages.some(page => page.startsWith(`${path}/`));
  return !isOther && !isFolder && (inDocs || /\.mdx?$/i.test(path));
}

/** The only page with the link's name; an index page has that of its folder. */
function samePage(url: string, pages: string[]): string | undefined {
  const wanted = nameOf(decode(url.replace(/[?#].*$/, '')));
  const same = pages.filter(page => wanted !== '' && nameOf(page) === wanted);
  return same.length === 1 ? same[0] : undefined;
}

function nameOf(path: string): string {
  const bare = path
    .replace(/\/$/, '')
    .replace(/(?:(?:^|\/)(?:index|README))?\.(?:mdx?|html)$/i, '');
  return posix.basename(bare).toLowerCase();
}

/** What the site makes of addresses; a sentence where its navigation file cannot be read. */
function* readRoutes(desk: Desk): Work<Routes | string> {
  const [navigation = [], generators = [], vitepress = []] = yield* desk.listAll([
    '**/{docs,mint}.json',
    GENERATORS,
    VITEPRESS,
  ]);
  const routes: Routes = { redirects: [] };
  const [generator] = [...generators, ...vitepress];
  const unjudged = 'I judged only links that name a .md or .mdx file: ';
  routes.isGenerated = generator !== undefined && navigation.length === 0;
  for (const [file, lines] of yield* desk.readAll(navigation)) {
    const config = parse(lines.join('\n'));
    if (config === undefined)
      return (
        `I left the links alone: ${file} is not valid JSON, ` +
        'and a link that leads to no page may be a redirect there.'
      );
    if (/"(?:openapi|asyncapi|\$ref)"\s*:/.test(lines.join('\n')))
      routes.unknown = `${unjudged}${file} makes further addresses of other files.`;
    routes.redirects.push(...redirectsOf(config));
  }
  return routes;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function redirectsOf(config: unknown): RegExp[] {
  const { redirects } = (config ?? {}) as { redirects?: unknown };
  if (!Array.isArray(redirects)) return [];
  return redirects.flatMap((redirect: { source?: unknown } | null) =>
    typeof redirect?.source === 'string'
      ? new RegExp(
          `^/?${redirect.source
            .replace(/^\//, '')
            .replace(/[\\^$.+?()[\]{}|]/g, '\\$&')
            .replace(/\/?(?::\w+)?\*/g, '(?:/.*)?')
            .replace(/:\w+/g, '[^/]+')}/?$`,
        )
      : [],
  );
}
