import { posix } from 'node:path';
import type { Desk, Report, Work } from '../desk.ts';
import { decode, linkTo, pagesWithLinks, relinked, resolve } from '../links.ts';
import { findPlace } from '../places.ts';
import { count, someOf } from '../wording.ts';

/** Lines that may have a link. */
const LINKS = '\\]\\(|href\\s*=|^[ >]*\\[[^\\]]+\\]:';
/** How a site is built, where its addresses are not those of its files. */
const GENERATORS =
  '**/{mkdocs.{yml,yaml},{astro,docusaurus}.config.*,hugo.{toml,yaml,yml},book.toml,conf.py}';
const VITEPRESS = '**/.vitepress/config.*';

/** Pages that others include: their links count from those. */
const PARTIAL = /(?:^|\/)(?:_[^/]*|snippets?|partials?|includes?)(?:\/|$)/i;

/** What is known about links that name no file. */
interface Routes {
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
  if (generator)
    routes.unknown = `${unjudged}the other addresses of this site are made by ${generator}.`;
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
