import type { Attributes } from '../../dashboard/contract/page-tree.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { joinPath } from '../../../sites/kinds/paths.ts';
import { tsconfigAliases } from '../../../sites/kinds/tsconfig-aliases.ts';

/** Schemes that a page may link to. A link with any other scheme has no address. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

export interface Links {
  /** Where a link or an image leads, as attributes of its element. */
  to(url: string): Attributes;
  image(url: string): Attributes;
}

/** The links of one page, by the rules of its site. */
export function linksOf(site: Site, source: SiteSource, file: string): Links {
  return { to: url => linkTo(site, file, url), image: url => imageAt(site, source, file, url) };
}

function linkTo(site: Site, file: string, written: string): Attributes {
  const url = written.trim();
  const outside = externalUrl(url);
  if (outside !== undefined) return outside === null ? {} : { href: outside };
  const found = site.resolve(url, file);
  if (found.kind === 'page') {
    const hash = found.anchor === null ? {} : { hash: found.anchor };
    return { page: found.page.path, ...hash };
  }
  if (found.kind === 'route' && site.apiPages?.some(({ path }) => path === found.path)) {
    const [, hash] = url.split('#', 2);
    return { page: found.path, ...(hash && { hash }) };
  }
  return found.kind === 'external' ? {} : { missing: url };
}

/** Images of other hosts are not loaded: their address is a link. */
function imageAt(site: Site, source: SiteSource, file: string, written: string): Attributes {
  const url = written.trim();
  const outside = externalUrl(url);
  if (outside !== undefined) return outside === null ? {} : { href: outside };
  const found = site.resolve(url, file);
  if (found.kind === 'file') return { file: found.file };
  const aliased = aliasedFile(site, source, url);
  return aliased === undefined ? { missing: url } : { file: aliased };
}

/** By an alias of the site or of its tsconfig.json, such as `@assets/*`. */
function aliasedFile(site: Site, source: SiteSource, url: string): string | undefined {
  const all = [...(site.aliases ?? []), ...tsconfigAliases(source, site.root)];
  for (const { prefix, folder } of all) {
    if (!url.startsWith(prefix)) continue;
    const file = joinPath(folder, url.slice(prefix.length));
    if (file !== undefined && source.has(file)) return file;
  }
  return undefined;
}

/** The parsed address; null for a scheme that is not allowed; undefined for a link of the site. */
function externalUrl(url: string): string | null | undefined {
  const absolute = url.startsWith('//') ? `https:${url}` : url;
  if (!/^[a-z][a-z\d+.-]*:/i.test(absolute)) return undefined;
  if (!URL.canParse(absolute)) return null;
  const { protocol, href } = new URL(absolute);
  return SCHEMES.has(protocol) ? href : null;
}
