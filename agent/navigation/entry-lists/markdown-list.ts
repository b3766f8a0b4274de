import { below, folderOf, joinPath } from '../../../sites/kinds/paths.ts';
import type { EntryList, ListEntry, ListStyle } from './entry-list.ts';

/** How lists of links in a Markdown file are read and written. */
export interface MarkdownList {
  file: string;
  text: string;
  crumbs: readonly string[];
  titleOfFile(file: string): string | undefined;
  /** Headings begin parts of the list, as in mdBook; else they are passed over. */
  hasParts: boolean;
  /** Links need no mark before them, as the first and last chapters of mdBook. */
  allowsBareLinks: boolean;
  /** An item without a link is a group. */
  allowsPlainGroups: boolean;
}

const ITEM = /^([ \t]*)((?:[-*+]|\d+[.)])[ \t]+)?(.*)$/;
const LINK =
  /^\[((?:[^\][\\`]|\\.|`[^`]*`|\[[^\]]*\])*)\]\([ \t]*(<[^>\n]*>|[^)\s]*)(?:[ \t]+"[^"]*")?[ \t]*\)/;

/** The lists of a file: one, or one for each part. */
export function markdownLists(list: MarkdownList): EntryList[] {
  const style = styleOf(list);
  const lists: EntryList[] = [emptyList(list, [...list.crumbs], style)];
  let above: { indent: number; entry: ListEntry }[] = [];
  let offset = 0;
  let sawHeading = false;
  for (const line of masked(list.text).split('\n')) {
    const start = offset;
    const end = Math.min(list.text.length, start + line.length + 1);
    offset += line.length + 1;
    const heading = list.hasParts ? /^#[ \t]+(.+?)[ \t]*#*[ \t\r]*$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) {
      // The first heading is the title of the file, unless entries came before it.
      if (sawHeading || lists.some(one => one.entries.length > 0))
        lists.push(emptyList(list, [...list.crumbs, plainTitle(heading)], style));
      sawHeading = true;
      above = [];
      continue;
    }
    const item = itemOf(line, start, end, list);
    const indent = widthOf(/^[ \t]*/.exec(line)?.[0] ?? '');
    if (!item) {
      // A line that continues the item above belongs to it.
      if (line.trim() === '') continue;
      if (above.some(one => one.indent < indent)) extend(above, end);
      else above = [];
      continue;
    }
    above = above.filter(one => one.indent < indent);
    (above.at(-1)?.entry.children ?? lists.at(-1)?.entries ?? []).push(item);
    above.push({ indent, entry: item });
    extend(above, end);
  }
  return lists;
}

function emptyList({ file, text }: MarkdownList, crumbs: string[], style: ListStyle): EntryList {
  const empty = { at: text.length, prefix: '- ' };
  return { file, text, crumbs, entries: [], style, empty };
}

function itemOf(
  line: string,
  start: number,
  end: number,
  { file, allowsBareLinks, allowsPlainGroups }: MarkdownList,
): ListEntry | undefined {
  const [, space = '', mark = '', content = ''] = ITEM.exec(line.replace(/\r$/, '')) ?? [];
  if (mark === '' && !allowsBareLinks) return undefined;
  const from = start + space.length + mark.length;
  const link = LINK.exec(content);
  if (!link) {
    const title = content.trim();
    if (mark === '' || !allowsPlainGroups || title === '') return undefined;
    const titleAt = [from, from + content.trimEnd().length] as const;
    // `*` and `dir/*` of literate-nav stand for many pages.
    if (title.includes('*'))
      return { title: null, target: title, span: [start, end], fixed: 'it is a pattern' };
    return { title, titleAt, target: null, span: [start, end], children: [] };
  }
  const [whole, label = '', written = ''] = link;
  const bare = written.replace(/^<|>$/g, '');
  const at = from + whole.indexOf(written, label.length + 2);
  const path = decoded(bare.replace(/[?#].*$/, ''));
  const page = path === '' || /^\w+:/.test(path) ? undefined : joinPath(folderOf(file), path);
  return {
    title: plainTitle(label),
    titleAt: [from + 1, from + 1 + label.length],
    target: bare === '' ? null : bare,
    targetAt: [at, at + written.length],
    ...(page !== undefined && { file: page }),
    span: [start, end],
    children: [],
  };
}

function extend(above: readonly { entry: ListEntry }[], end: number): void {
  for (const { entry } of above) entry.span = [entry.span[0], end];
}

function styleOf(list: MarkdownList): ListStyle {
  const href = (file: string, written = '') => hrefOf(list.file, file, written);
  const entry = (file: string, title: string | undefined, model: ListEntry | undefined) =>
    `[${escaped(title ?? list.titleOfFile(file) ?? file)}](${href(file, model?.target ?? '')})`;
  const deeper = (prefix: string) => {
    const [, space = '', mark = '- '] = /^([ \t]*)(\S+[ \t]+)?/.exec(prefix) ?? [];
    return space + ' '.repeat(stepOf(list)) + mark;
  };
  return {
    entry,
    group: (title, pages, prefix) =>
      [
        list.allowsPlainGroups ? escaped(title) : `[${escaped(title)}]()`,
        ...pages.map(file => deeper(prefix) + entry(file, undefined, undefined)),
      ].join('\n'),
    title: escaped,
    target: href,
    withoutPage: ({ targetAt, titleAt, title }) =>
      targetAt && titleAt
        ? list.allowsPlainGroups
          ? [{ start: titleAt[0] - 1, end: targetAt[1] + 1, text: escaped(title ?? '') }]
          : [{ start: targetAt[0], end: targetAt[1], text: '' }]
        : null,
    deeper,
  };
}

/** By how many spaces the file indents; two if it does not. */
function stepOf({ text }: MarkdownList): number {
  return /^( {2,8}|\t)(?:[-*+]|\d+[.)])[ \t]+/m.exec(masked(text))?.[1]?.length ?? 2;
}

/** The path to a page from the file of the list, as links there are written. */
function hrefOf(listFile: string, file: string, written: string): string {
  const bare = written.replace(/^<|>$/g, '');
  const suffix = /[?#].*$/s.exec(bare)?.[0] ?? '';
  const path = relativePath(folderOf(listFile), file);
  const dotted = bare.startsWith('./') && !path.startsWith('.') ? `./${path}` : path;
  if (written.startsWith('<')) return `<${dotted}${suffix}>`;
  return encodeURI(dotted).replace(/[()]/g, mark => (mark === '(' ? '%28' : '%29')) + suffix;
}

/** `b/c.md` for `a/b/c.md` seen from `a`, `../c.md` from `a/b` for `a/c.md`. */
export function relativePath(folder: string, file: string): string {
  let up = '';
  for (let from = folder; ; from = folderOf(from)) {
    const rest = below(from, file);
    if (rest !== undefined) return up + rest;
    up += '../';
  }
}

/** A label without its Markdown: `` `code` `` and emphasis lose their marks. */
export function plainTitle(label: string): string {
  return label
    .replace(/`([^`]*)`/g, '$1')
    .replace(/(\*\*|__|\*)(.+?)\1/g, '$2')
    .replace(/\\(.)/g, '$1')
    .trim();
}

function escaped(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/([[\]\\])/g, '\\$1');
}

/** Comments and code become spaces. */
function masked(text: string): string {
  const blank = (part: string) => part.replace(/[^\r\n]/g, ' ');
  return text
    .replace(/<!--[^]*?(?:-->|$(?![^]))/g, blank)
    .replace(/^[ \t]*(```+|~~~+)[^]*?(?:^[ \t]*\1[^\n]*$|$(?![^]))/gm, blank);
}

function widthOf(space: string): number {
  return space.replaceAll('\t', '    ').length;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
