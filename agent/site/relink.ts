import type { PageLink } from '../../sites/page-links.ts';
import type { OutlineLink } from '../../sites/outline/page-outline.ts';
import { decoded, folderOf, isExternal, joinPath } from '../../sites/kinds/paths.ts';
import type { LinkSyntax, OwnLinkKind } from '../../sites/kinds/kind.ts';
import type { Site, SiteSource } from '../../sites/kinds/site-kind.ts';
import { keptWith } from '../kept-with.ts';
import { linkForms } from './link-forms.ts';
import { type OwnLink, ownLinks } from './own-links.ts';
import { certainLinks, parsedLinks } from './placed-links.ts';

/** The site before and after something moved: links must lead in `after` where they led before. */
export interface Relinking {
  before: Site;
  after: Site;
  /** Ways to write links that are the kind's own. */
  syntaxes: readonly LinkSyntax[];
  /** The new place of what a link led to: a file, or an address; undefined leaves it alone. */
  target(file: string): string | undefined;
  /** Whether there was such a file before. */
  has(file: string): boolean;
}

interface WrittenLink {
  kind: OutlineLink['kind'] | OwnLinkKind;
  url: string;
  isOwn?: true;
}

export interface RelinkedPage {
  text: string;
  links: number;
  /** 1-based lines with links that could not be changed. */
  left: number[];
}

/** The file that a link leads to, also where the site's own build does not look at such a link. */
export function fileOfLink(site: Site, link: WrittenLink, from: string): string | undefined {
  if (link.kind === 'import') return importedFile(site, link.url, from);
  if (link.kind === 'include') return includedFile(site, link.url, from);
  if (link.kind === 'name') return site.fileNamed?.(link.url, from);
  if (link.kind === 'top') return fileOfLink(site, { kind: 'link', url: `/${link.url}` }, from);
  const target = site.resolve(link.url, from);
  if (target.kind === 'page') return target.page.file;
  if (target.kind === 'file') return target.file;
  if (target.kind !== 'unchecked') return undefined;
  if (target.name !== undefined) return site.fileNamed?.(target.name, from);
  const [path = ''] = link.url.split(/[?#]/);
  if (!path.startsWith('/') || path.length < 2) return undefined;
  return filesByAddress(site).get(addressOf(path));
}

/** Whether a link leads to a file; a module may leave out the ending of an import. */
export function isThere(
  site: Site,
  { has }: Pick<SiteSource, 'has'>,
  link: WrittenLink,
  from: string,
): boolean {
  const file = fileOfLink(site, link, from);
  return file !== undefined && ENDINGS.some(ending => has(file + ending));
}

const filesByAddress = keptWith((site: Site) => {
  const files = new Map<string, string>();
  for (const { file, url, path } of site.pages)
    for (const address of [url, path])
      if (!files.has(addressOf(address))) files.set(addressOf(address), file);
  return files;
});

function addressOf(path: string): string {
  return path.replace(/\.html$/, '').replace(/\/$/, '');
}

function importedFile(site: Site, url: string, from: string): string | undefined {
  const [path = ''] = url.split(/[?#]/);
  const alias = site.aliases?.find(({ prefix }) => path.startsWith(prefix));
  if (alias) return joinPath(alias.folder, path.slice(alias.prefix.length));
  if (path.startsWith('/')) return joinPath(site.docsFolder, path);
  return path.startsWith('.') ? joinPath(folderOf(from), path) : undefined;
}

function includedFile(site: Site, url: string, from: string): string | undefined {
  if (isExternal(url)) return undefined;
  return /^[./@]/.test(url) ? importedFile(site, url, from) : joinPath(folderOf(from), url);
}

/** A page to relink: `to` is its new place. */
export interface PageToRelink {
  from: string;
  to: string;
  outlined: readonly OutlineLink[];
  /** For a page that stays: its links to what moved, by its outline. */
  inbound?: readonly (OutlineLink | OwnLink)[];
}

/** A page's text with its links as they must be once things have moved. */
export function relinkPage(
  text: string,
  { from, to, outlined, inbound }: PageToRelink,
  relinking: Relinking,
): RelinkedPage {
  const links: (PageLink | OwnLink)[] = [
    ...((inbound && certainLinks(text, inbound, url => moves(url, from, relinking))) ??
      parsedLinks(text, from, outlined)),
    ...ownLinks(relinking.syntaxes, text),
  ];
  let changed = text;
  let count = 0;
  const left: number[] = [];
  let changedFrom = text.length;
  const byOffset = links.toSorted((a, b) => (b.range?.start ?? 0) - (a.range?.start ?? 0));
  for (const link of byOffset) {
    const { url, line, range } = link;
    if (isExternal(url) || /^[#?!]|^$/.test(url)) continue;
    const fresh = newUrl(link, from, to, relinking);
    if (fresh === url || fresh === undefined) continue;
    if (!range || fresh === null) {
      left.push(line);
      continue;
    }
    if (range.end > changedFrom) continue;
    changedFrom = range.start;
    changed = changed.slice(0, range.start) + fresh + changed.slice(range.end);
    count += 1;
  }
  return { text: changed, links: count, left: [...new Set(left)].toSorted((a, b) => a - b) };
}

function moves(url: string, from: string, { before, target }: Relinking): boolean {
  const file = fileOfLink(before, { kind: 'link', url }, from);
  return file !== undefined && target(file) !== undefined;
}

/** What a module may leave out of an import. */
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '.json', '/index.ts', '/index.js'];

/** The link as it must be; undefined: it stays; null: no way to write it leads there. */
function newUrl(
  link: WrittenLink,
  from: string,
  to: string,
  { before, after, target, has }: Relinking,
): string | undefined | null {
  const { isOwn = false } = link;
  const isNamed = link.kind === 'import' && !link.url.startsWith('.');
  const missing = isOwn || isNamed ? undefined : missingFile(before, link.url, from);
  const old = fileOfLink(before, link, from) ?? missing;
  if (old === undefined || (isOwn && !ENDINGS.some(ending => has(old + ending)))) return undefined;
  const fresh = target(old) ?? (from === to ? undefined : old);
  if (fresh === undefined) return undefined;
  if (isExternal(fresh)) return fresh;
  const leadsThere = (url: string) =>
    (fileOfLink(after, { kind: link.kind, url }, to) ??
      (isOwn ? undefined : missingFile(after, url, to))) === fresh;
  if (leadsThere(link.url)) return undefined;
  const forms = linkForms(link.url, { before, after, from, to, old, fresh });
  const found = forms.find(leadsThere);
  return found === undefined ? null : withKnownAnchor(found, [before, old], [after, fresh]);
}

/** Another page that takes the place of one may not have its headings: then the link is to its top. */
function withKnownAnchor(url: string, ...places: [site: Site, file: string][]): string {
  const [path = '', anchor] = url.split('#');
  if (anchor === undefined || path === '') return url;
  const [had, has] = places.map(([site, file]) =>
    site.pages.some(page => page.file === file)
      ? site.anchors(site.outline(file))?.has(decoded(anchor))
      : undefined,
  );
  return had === true && has === false ? path : url;
}

/** What a link names that leads nowhere: it must name the same from another place. */
function missingFile(site: Site, url: string, from: string): string | undefined {
  const [path = ''] = url.split(/[?#]/);
  if (path === '' || path.startsWith('/') || site.resolve(url, from).kind !== 'missing')
    return undefined;
  return joinPath(folderOf(from), decoded(path));
}
