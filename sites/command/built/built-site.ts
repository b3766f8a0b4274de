import { decoded } from '../../kinds/paths.ts';
import type { BuiltPage } from './built-page.ts';

/** A site as its build wrote it or a server answers it. */
export interface BuiltSite {
  /** Every HTML page by its address: `/guide/`, `/guide/install.html`. With the base path. */
  pages: ReadonlyMap<string, BuiltPage>;
  /** Of the host, where they are known. */
  redirects: readonly { from: string; to: string }[];
  /** `/`, or a path such as `/docs`: links that lead out of it are of another site. */
  basePath: string;
  /** What answers a path: the address of a page, a file, or a redirect that leads elsewhere. */
  at(path: string): { page: string } | 'file' | undefined;
  /** For people: what of it could not be looked at. */
  notes?: string[];
}

/** Something that leads nowhere, on a built page. */
export interface DeadLink {
  rule: 'link' | 'anchor' | 'redirect';
  /** Address of the page that it is on; null: a redirect of the host. */
  page: string | null;
  /** As written in the HTML. */
  url: string;
  /** The path that it leads to, and the address of the page there. */
  path: string;
  target: string | undefined;
  /** As in the address; '' if there is none. */
  anchor: string;
}

/** No host has this name, so that nothing on a page leads there by accident. */
const HERE = 'http://built.invalid';
const MOST_REDIRECTS = 10;

/** Every link, image and redirect of the built site that leads nowhere. */
export function deadLinks(site: BuiltSite): DeadLink[] {
  const nowhere: BuiltPage = { links: [], ids: new Set(), base: undefined, refresh: undefined };
  const redirects = site.redirects
    .filter(({ to }) => !/[*:]/.test(to) && to.startsWith('/'))
    .flatMap(({ to }) => judged(site, '/', nowhere, to) ?? [])
    .map(dead => ({ ...dead, rule: 'redirect' as const, page: null }));
  const links = [...site.pages].flatMap(([address, page]) => {
    // Hosts show it at any address, so that its relative links lead anywhere.
    if (/\/404(?:\.html)?\/?$/.test(address)) return [];
    const dead = page.links.flatMap(link => judged(site, address, page, link.url) ?? []);
    if (page.refresh === undefined) return dead;
    const refresh = judged(site, address, page, page.refresh);
    return refresh ? [...dead, { ...refresh, rule: 'redirect' as const }] : dead;
  });
  return [...links, ...redirects];
}

function judged(
  site: BuiltSite,
  address: string,
  page: BuiltPage,
  url: string,
): DeadLink | undefined {
  const to = targetOf(url, address, page);
  if (!to || !isWithin(to.path, site.basePath)) return undefined;
  const found = site.at(to.path);
  const { path, anchor } = to;
  if (found === undefined)
    return { rule: 'link', page: address, url, path, target: undefined, anchor };
  if (found === 'file' || isForBrowser(anchor)) return undefined;
  const target = redirected(site, found.page);
  const ids = target === undefined ? undefined : site.pages.get(target)?.ids;
  if (ids === undefined || ids.has(anchor) || ids.has(decoded(anchor))) return undefined;
  return { rule: 'anchor', page: address, url, path, target, anchor };
}

/** Where a link on a page leads within the site; undefined: elsewhere. `path` is decoded. */
export function targetOf(
  url: string,
  address: string,
  { base }: BuiltPage,
): { path: string; anchor: string } | undefined {
  const here = `${HERE}${encodeURI(address)}`;
  const from = base === undefined || !URL.canParse(base, here) ? here : new URL(base, here).href;
  if (!URL.canParse(url, from)) return undefined;
  const to = new URL(url, from);
  if (to.origin !== HERE) return undefined;
  return { path: decoded(to.pathname), anchor: to.hash.slice(1) };
}

/** Browsers handle these themselves. */
function isForBrowser(anchor: string): boolean {
  return anchor === '' || anchor === 'top' || anchor.startsWith(':~:');
}

/** The page that readers end at; undefined outside the site. */
function redirected(site: BuiltSite, first: string): string | undefined {
  let address = first;
  for (let count = 0; count < MOST_REDIRECTS; count++) {
    const page = site.pages.get(address);
    if (page?.refresh === undefined) return address;
    const to = targetOf(page.refresh, address, page);
    const found = to && site.at(to.path);
    if (found === undefined || found === 'file') return undefined;
    address = found.page;
  }
  return undefined;
}

export function isWithin(path: string, basePath: string): boolean {
  return basePath === '/' || path === basePath || path.startsWith(`${basePath}/`);
}
