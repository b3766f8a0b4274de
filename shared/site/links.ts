import GithubSlugger from 'github-slugger';
import type { Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { walk } from './markdown.ts';
import { candidateFiles } from './page-path.ts';

/** One link of a page, as written. */
export interface PageLink {
  kind: 'link' | 'image' | 'import';
  url: string;
  /** 1-based. */
  line: number;
  /**
   * Offsets in the page's text between which `url` is written; undefined where it is escaped or
   * quoted.
   */
  range: { start: number; end: number } | undefined;
}

/** Where a link leads. `file` is the repository file, undefined where there is none. */
export type LinkTarget =
  | { kind: 'external' }
  | { kind: 'internal'; path: string; file: string | undefined; anchor: string | null };

/** What links are resolved against. */
export interface SiteFiles {
  docsFolder: string;
  has(path: string): boolean;
  /** Whether some file lies below this folder. */
  hasFolder(path: string): boolean;
}

/**
 * Folders whose files the site serves at its root: Docusaurus, VitePress, and sites that keep docs
 * beside them.
 */
const STATIC_FOLDERS = ['public', 'static', '.vitepress/public'];

/** Makes what links are resolved against from a list of paths. */
export function siteFiles(paths: readonly string[], docsFolder: string): SiteFiles {
  const files = new Set(paths);
  const folders = new Set<string>(['']);
  for (const path of paths) {
    for (
      let at = path.lastIndexOf('/');
      at > 0 && !folders.has(path.slice(0, at));
      at = path.lastIndexOf('/', at - 1)
    )
      folders.add(path.slice(0, at));
  }
  return { docsFolder, has: path => files.has(path), hasFolder: path => folders.has(path) };
}

/**
 * Where `url`, written in file `from`, leads: `./install.md`, `install`, `/guides/install#x`, `#x`.
 * A path that begins with a slash is the site's, else the repository's. `path` is what it names
 * without its query, also when no such file exists, as a repository path without leading slash.
 */
export function resolveLink(url: string, from: string, site: SiteFiles): LinkTarget {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url) || url.includes('{')) return { kind: 'external' };
  const [, rawPath = '', rawAnchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(url) ?? [];
  const anchor = rawAnchor === undefined || rawAnchor === '' ? null : decode(rawAnchor);
  if (rawPath === '') return { kind: 'internal', path: from, file: from, anchor };

  const wanted = decode(rawPath);
  const folder = from.split('/').slice(0, -1).join('/');
  const bases = wanted.startsWith('/') ? [site.docsFolder, ''] : [folder];
  const paths = bases.map(base => joinPath(base, wanted)).filter(path => path !== undefined);
  const [path] = paths;
  if (path === undefined) return { kind: 'internal', path: wanted, file: undefined, anchor };
  const file =
    paths.map(one => fileAt(one, site)).find(one => one !== undefined) ??
    (wanted.startsWith('/') ? staticFile(wanted, site) : undefined);
  return { kind: 'internal', path, file, anchor };
}

/** Links, images and imports of a page, with those in HTML and JSX attributes. */
export function pageLinks(tree: Root, text: string): PageLink[] {
  const links: PageLink[] = [];
  /**
   * `lead` is what stands right before the address: `a` alone is found anywhere. Returns where to
   * look for the next one.
   */
  const add = (
    kind: PageLink['kind'],
    url: string,
    place: Place,
    from: number,
    lead = '',
  ): number => {
    const at = url === '' ? -1 : text.indexOf(lead + url, from);
    const end = at + lead.length + url.length;
    const range = at === -1 || end > place.end ? undefined : { start: at + lead.length, end };
    links.push({ kind, url, line: range ? lineAt(text, range.start, place) : place.line, range });
    return range?.end ?? from;
  };
  const addAttribute = (
    name: string,
    value: string,
    place: Place,
    from: number,
    lead = '',
  ): number => {
    if (name.toLowerCase() !== 'srcset')
      return add(name.toLowerCase() === 'href' ? 'link' : 'image', value, place, from, lead);
    const at = text.indexOf(lead + value, from);
    const end = srcsetUrls(value).reduce(
      (next, url) => add('image', url, place, next),
      at === -1 ? text.length : at + lead.length,
    );
    return at === -1 ? from : end;
  };
  for (const node of walk(tree)) {
    const place = placeOf(node);
    if (node.type === 'link')
      add('link', node.url, place, placeOf(node.children.at(-1)).end || place.start);
    else if (node.type === 'definition')
      add('link', node.url, place, text.indexOf(']:', place.start));
    else if (node.type === 'image')
      add('image', node.url, place, text.lastIndexOf('](', place.end - 1)); // behind the image may come the `](` of a link about it
    else if (node.type === 'html') {
      let from = place.start;
      for (const { lead, name, value } of htmlAddresses(node.value))
        from = addAttribute(name, value, place, from, lead);
    } else if (node.type === 'mdxjsEsm') {
      let from = place.start;
      for (const [, url = ''] of node.value.matchAll(/\bfrom\s*(?:"([./][^"]*)"|'([./][^']*)')/g))
        from = add('import', url, place, from);
    } else if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
      for (const attribute of node.attributes) {
        if (attribute.type !== 'mdxJsxAttribute' || !ADDRESSES.test(attribute.name)) continue;
        const value =
          typeof attribute.value === 'string'
            ? attribute.value
            : literal(attribute.value?.value ?? '');
        const own = attribute.position ? placeOf(attribute) : place;
        if (value !== undefined)
          addAttribute(attribute.name, value, own, text.indexOf('=', own.start));
      }
    }
  }
  return links;
}

/**
 * What looks like a link's address in a page's text, without parsing it: 1,000 pages in 50 ms,
 * where parsing takes 12 s. Code is not told apart; addresses elsewhere are left out. Tells which
 * pages are worth parsing.
 */
export function likelyLinks(text: string): string[] {
  return [
    ...text.matchAll(
      /\]\(\s*(?:<([^>\n]+)>|([^)\s]+))|^[ >]*\[[^\]]+\]:\s*<?([^\s>]+)|\b(?:href|src|poster)\s*=\s*(?:\{\s*)?(?:["'`]([^"'`]+)|([^\s"'`<>{}]+))|\bfrom\s*["']([./][^"']+)|\bsrcset\s*=\s*(?:\{\s*)?["'`]([^"'`]+)/gim,
    ),
  ]
    .flatMap(([, ...groups]) =>
      groups.at(-1) === undefined
        ? (groups.find(group => group !== undefined) ?? '')
        : srcsetUrls(groups.at(-1) ?? ''),
    )
    .filter(url => url !== '' && !/^[a-z][a-z\d+.-]*:/i.test(url));
}

/** Attributes that hold an address. */
const ADDRESSES = /^(?:href|src|poster|srcset)$/i;

/**
 * The attributes with an address in raw HTML: `lead` is the attribute as written up to its value.
 * Without quotes only where a tag ends behind.
 */
function htmlAddresses(html: string): { name: string; value: string; lead: string }[] {
  const pattern =
    /\s(href|src|poster|srcset)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`{}]+)(?=[^<>]{0,2000}>))/gi;
  return Array.from(html.matchAll(pattern), ([written, name = '', ...values]) => {
    const value = values.find(one => one !== undefined) ?? '';
    return { name, value, lead: written.slice(1, written.lastIndexOf(value)) };
  });
}

/** The text that an expression is, or undefined where it has to be computed. */
function literal(expression: string): string | undefined {
  return /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/
    .exec(expression)
    ?.slice(1)
    .find(one => one !== undefined);
}

/** `a.png 1x, b.png 2x`: the addresses. */
function srcsetUrls(value: string): string[] {
  return value
    .split(/,\s+|(?<=\s[\d.]+[wxh]),/)
    .map(one => one.trim().split(/\s/)[0] ?? '')
    .filter(url => url !== '');
}

interface Place {
  start: number;
  end: number;
  line: number;
}

function placeOf(node: { position?: Root['position'] } | undefined): Place {
  return {
    start: node?.position?.start.offset ?? 0,
    end: node?.position?.end.offset ?? 0,
    line: node?.position?.start.line ?? 1,
  };
}

function lineAt(text: string, offset: number, place: Place): number {
  return place.line + text.slice(place.start, offset).split('\n').length - 1;
}

/**
 * The anchors of a page's headings in their order, by GitHub's slugs or as written behind them:
 * `{#id}`.
 */
export function headingAnchors(tree: Root): string[] {
  const slugger = new GithubSlugger();
  return [...walk(tree)].flatMap(node => {
    if (node.type !== 'heading') return [];
    const title = toString(node);
    const [, own] = /\{#([^}]+)\}\s*$/.exec(title) ?? [];
    return [own ?? slugger.slug(title)];
  });
}

/**
 * The anchors that a page has: those of its headings, ids written in HTML, JSX or as `{#id}`, names
 * of `<a>`.
 */
export function pageAnchors(tree: Root, text: string): Set<string> {
  const anchors = new Set(headingAnchors(tree));
  for (const [, , id = ''] of text.matchAll(/\s(?:id|name)\s*=\s*\{?(["'])(.*?)\1/g))
    anchors.add(id);
  for (const [, id = ''] of text.matchAll(/\{#([^}\s]+)\}/g)) anchors.add(id);
  return anchors;
}

function fileAt(path: string, site: SiteFiles): string | undefined {
  if (site.has(path)) return path;
  const page = candidateFiles('', `/${path}`).find(candidate => site.has(candidate));
  return page ?? (site.hasFolder(path.replace(/\/$/, '')) ? path : undefined);
}

function staticFile(wanted: string, site: SiteFiles): string | undefined {
  const parent = site.docsFolder.split('/').slice(0, -1).join('/');
  for (const base of new Set([site.docsFolder, parent, ''])) {
    for (const folder of STATIC_FOLDERS) {
      const path = joinPath(base === '' ? folder : `${base}/${folder}`, wanted);
      if (path !== undefined && site.has(path)) return path;
    }
  }
  return undefined;
}

/** Undefined where `..` leads out of the repository. */
function joinPath(base: string, path: string): string | undefined {
  const parts = base === '' ? [] : base.split('/');
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
