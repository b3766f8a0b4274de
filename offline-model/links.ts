import { posix } from 'node:path';
import type { Desk, Work } from './desk.ts';
import { lineAt, lineStarts, spliced } from './line-edits.ts';
import { lineKinds } from './markdown.ts';

/** A link to a page, as it is written; images are none. */
export interface Link {
  url: string;
  /** Offsets of `url` in the page's text. */
  start: number;
  end: number;
  /** 1-based. */
  line: number;
}

/** Where a link leads: `path` in the repository, and the page there, if there is one. */
export interface Target {
  path: string;
  page: string | undefined;
  anchor: string;
}

const LINK = new RegExp(
  [
    /\]\(\s*(?:<([^<>\n]+)>|([^\s<>()]+(?:\([^\s()]*\)[^\s<>()]*)*))/,
    /^[ >]*\[[^\]\n]+\]:[ \t]*<?([^\s<>]+)/,
    /\bhref\s*=\s*(?:\{\s*)?["'`]([^"'`{}\n]+)["'`]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'dgm',
);

/** The links of a page outside of code and comments. */
export function pageLinks(lines: string[]): Link[] {
  const kinds = lineKinds(lines);
  const text = lines
    .map((line, index) => (kinds[index] === 'text' ? line : ' '.repeat(line.length)))
    .join('\n')
    .replace(/(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[^])*?(?<!`)\1(?!`)|<!--[^]*?(?:-->|$(?![^]))/g, blank);
  const starts = lineStarts(lines);
  return [...text.matchAll(LINK)].flatMap(match => {
    const group = match.slice(1).findIndex(value => value !== undefined) + 1;
    const [start, end] = match.indices?.[group] ?? [0, 0];
    if (match[0].startsWith(']') && isImage(text, match.index)) return [];
    return [{ url: text.slice(start, end), start, end, line: lineAt(starts, start) + 1 }];
  });
}

/** A text of the same length that has nothing in it. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Whether the bracket that closes at `at` opens with `![`. */
function isImage(text: string, at: number): boolean {
  let depth = 0;
  for (let index = at; index >= Math.max(0, at - 2000); index--) {
    if (text[index] === ']') depth++;
    if (text[index] === '[' && --depth === 0) return text[index - 1] === '!';
  }
  return false;
}

/**
 * Where a link written on page `from` leads; undefined outside of the repository's files. A path
 * that begins with a slash counts from the docs folder, or from the repository's root.
 */
export function resolve(
  desk: Desk,
  pages: string[],
  url: string,
  from: string,
): Target | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url) || /[{}]/.test(url)) return undefined;
  const [, raw = '', anchor = ''] = /^([^?#]*)(?:\?[^#]*)?#?(.*)$/s.exec(url) ?? [];
  if (raw === '') return { path: from, page: from, anchor };
  const wanted = decode(raw);
  const bases = wanted.startsWith('/') ? [desk.root, ''] : [posix.dirname(from)];
  const paths = bases.map(base => posix.join(base, wanted).replace(/^\/|\/$/g, ''));
  const [path = ''] = paths;
  if (path.startsWith('..')) return undefined;
  const known = new Set(pages);
  const page = paths.flatMap(candidates).find(candidate => known.has(candidate));
  return { path, page, anchor: decode(anchor) };
}

function candidates(path: string): string[] {
  const bare = path.replace(/\.html$/, '').replace(/^\.$/, '');
  const inFolder = ['index.mdx', 'index.md', 'README.mdx', 'README.md'];
  return [bare, `${bare}.mdx`, `${bare}.md`, ...inFolder.map(name => posix.join(bare, name))];
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A link to `page` in the form of `old`: absolute or relative, with or without ending. */
export function linkTo(desk: Desk, page: string, from: string, old: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(old) ?? [];
  const bare = /\.mdx?$/i.test(path) ? page : page.replace(/(?:\/(?:index|README))?\.mdx?$/i, '');
  if (path.startsWith('/')) return encodeURI(`/${posix.relative(desk.root, bare)}`) + rest;
  const relative = posix.relative(posix.dirname(from), bare) || '.';
  const dotted = path.startsWith('.') && !relative.startsWith('.') ? `./${relative}` : relative;
  return encodeURI(dotted) + rest;
}

/** The page's lines with other addresses for the links that `to` gives one. */
export function relinked(lines: string[], to: (link: Link) => string | undefined): string[] {
  const changed = pageLinks(lines).flatMap(link => {
    const url = to(link);
    return url === undefined ? [] : [{ start: link.start, end: link.end, text: url }];
  });
  return spliced(lines.join('\n'), changed).split('\n');
}

/** Pages with a line that may have a link which `wanted` is looked for; long lines always. */
export function* pagesWithLinks(
  desk: Desk,
  pattern: string,
  wanted: (url: string, from: string) => boolean,
): Work<string[]> {
  const found = new Set<string>();
  for (const { path, text } of yield* desk.search(pattern, '**/*.{md,mdx}')) {
    if (found.has(path)) continue;
    const urls = [...text.matchAll(LINK)].map(match => match.slice(1).find(url => url) ?? '');
    if (/^…|…$/.test(text) || /\]\(\s*$/.test(text) || urls.some(url => wanted(url, path)))
      found.add(path);
  }
  return [...found];
}
