import { addressItem } from './addresses.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { plainText } from './plain-text.ts';

/** Members that name or sort a page, and do nothing else. */
const SAFE_MEMBERS = new Set(
  (
    'title description sidebar_label sidebar_position sidebarTitle slug id tags keywords weight date ' +
    'lastmod updated created modified published draft icon iconType order nav_order nav_title toc hide hide_title ' +
    'hide_table_of_contents toc_min_heading_level toc_max_heading_level author authors category ' +
    'categories summary status tag mode hidden boost deprecated outline prev next pagination_prev ' +
    'pagination_next pagination_label lang linkTitle aliases search label noindex unlisted image ' +
    'sidebar tableOfContents lastUpdated editUrl navigation parent has_children comments version ' +
    'subtitle name contributors text link badge variant collapsed minHeadingLevel ' +
    'maxHeadingLevel math chem katex mermaid exclude hero tagline actions features details theme'
  ).split(' '),
);
/** Those whose value leads somewhere; and those whose value is a path of the site. */
const ADDRESSES = /^(?:image|prev|next|link|editUrl|pagination_prev|pagination_next|icon)$/;
const PATHS = /^(?:slug|aliases)$/;
const SITE_PATH = /^(?!\/\/)(?!.*(?:\.\.|\/\/))[\p{L}\p{M}\p{N}._~+@()/ -]*$/u;
const ACTIVE = /^(?:head|scripts?|styles?|css|js|javascript|extra_css|extra_javascript)$/i;
const MEMBER = /^([ ]*)(?:- )?(["']?)([A-Za-z_](?:[\w.-]|:(?=\w))*)\2[ ]*[:=](?:[ ]+(.*?))?[ ]*$/;
const ITEM = /^[ ]*- (.*?)[ ]*$/;
const BLOCK = /^[|>][+-]?$/;
/** Begins what YAML does not read as text: anchors, tags, directives, lists and maps. */
const INDICATOR = /^- |^[&*!%@`?|>{}[\]"']/;
const QUOTED = /^(?:"((?:[^"\\]|\\["\\/])*)"|'((?:[^']|'')*)')(?:[ ]+#.*)?$/;
const IN_LIST = String.raw`(?:"[^"\\]*"|'[^']*'|[\p{L}\p{N}/._-][^[\]{}"',#&*!|>%@\x60:]*)`;
/** A list of words in one line. */
const LIST = new RegExp(String.raw`^\[\s*(?:${IN_LIST}(?:\s*,\s*${IN_LIST})*\s*,?)?\s*\]$`, 'u');

/**
 * Judges a page's front matter and finds its end. Plain are members of the list with texts, numbers
 * and lists of them, between two lines of `---`, or of `+++` for TOML. `isText`: some generator of
 * the site shows it as text.
 */
export function judgeFrontMatter(
  text: string,
  reading: PageReading,
  report: Report,
): { end: number; isText: boolean } {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const head = text.slice(start, start + 500);
  const isKnown = (kind: PageReading['kinds'][number]) =>
    reading.kinds.length === 0 || reading.kinds.includes(kind);
  const other =
    /^\s*(?:---[ \t]*[^\s-][^\n]*|;;;[^\n]*|\{(?![/%{#])[^\n]*)/.exec(head) ??
    /^\s+(?:---|\+\+\+)[ \t]*\r?\n\s*["'\w-]+\s*[:=][^\n]*/.exec(head);
  if (other) refuse(0, other[0], 'front matter that is not plain YAML', report);
  const [fence] = other ? [] : (/^(?:---|\+\+\+)(?=[ \t]*\r?\n)/.exec(head) ?? []);
  if (fence === undefined) {
    const isMkDocs = !other && isKnown('mkdocs') && /^ {0,3}[\w-]+:/.test(head);
    if (isMkDocs) judgeLines(text, start, paragraphOf(text), { reading, report });
    return { end: start, isText: true };
  }
  const close = fence === '---' ? /\n---(?=[ \t]*(?:\r?\n|$))/g : /\n\+\+\+(?=[ \t]*(?:\r?\n|$))/g;
  close.lastIndex = start + 2;
  const found = close.exec(text);
  if (!found) {
    if (/^---[ \t]*\r?\n[ \t]*["'\w-]+\s*:/.test(head))
      refuse(0, head, 'front matter that does not end', report);
    return { end: start, isText: true };
  }
  // Some readers end it at the next line of dashes then.
  if (text.indexOf('\n', start) === found.index)
    refuse(0, `${fence} ${fence}`, 'front matter without a member', report);
  judgeLines(text, text.indexOf('\n', start) + 1, found.index + 1, { reading, report });
  const end = Math.max(text.indexOf('\n', found.index + 1) + 1, found.index + 1);
  const isOfAll =
    fence === '---'
      ? !reading.kinds.includes('mdbook')
      : reading.kinds.length === 1 && isKnown('hugo');
  return { end, isText: !isOfAll };
}

/** MkDocs reads the first lines of a page as its members, if the first one looks like that. */
function paragraphOf(text: string): number {
  const blank = text.search(/\n[ \t]*\r?\n/);
  return blank < 0 ? text.length : blank + 1;
}

interface Readers {
  reading: PageReading;
  report: Report;
}

/** A value over one or more lines. */
interface Value {
  name: string;
  isSafe: boolean;
  at: number;
  indent: number;
  isBlock: boolean;
  lines: string[];
}

function judgeLines(text: string, from: number, to: number, readers: Readers): void {
  const { report } = readers;
  let at = from;
  let open: Value = { name: '', isSafe: true, at, indent: -1, isBlock: false, lines: [] };
  const names: { name: string; indent: number }[] = [];
  const seen = new Set<string>();
  const close = (next: Value): void => {
    judgeValue(open, readers);
    open = next;
  };
  for (const raw of text.slice(from, to).split('\n')) {
    const line = raw.replace(/\r$/, '');
    const [, indent = '', , name, value = ''] = MEMBER.exec(line) ?? [];
    const column = line.search(/[^ ]|$/);
    const isText = open.isBlock && (column > open.indent || line.trim() === '');
    const item = isText || name !== undefined ? undefined : ITEM.exec(line)?.[1];
    if (!isText && (line.trim() === '' || /^ *#/.test(line))) {
      if (!plainText(line))
        refuse(at, line, 'a comment in the front matter that is not plain', report);
    } else if (item !== undefined)
      close({ ...open, at, indent: Math.max(open.indent, column), isBlock: false, lines: [item] });
    else if (isText || name === undefined) {
      if (!isText && column <= open.indent)
        refuse(at, line, 'a line of the front matter that is not plain', report);
      open.lines.push(line.trim());
    } else {
      while (names.length > 0 && (names.at(-1)?.indent ?? 0) >= indent.length) names.pop();
      names.push({ name, indent: indent.length });
      const path = names.map(one => one.name).join('.');
      if (seen.has(path) && !/^ *- /.test(line) && indent === '')
        refuse(at, line, 'a member of the front matter that is there twice', report);
      seen.add(path);
      const isSafe = judgeMember(path.split('.'), value, line, at, report);
      const isBlock = BLOCK.test(value);
      const lines = isBlock || value === '' ? [] : [value];
      close({ name, isSafe, at, indent: indent.length, isBlock, lines });
    }
    at += raw.length + 1;
  }
  judgeValue(open, readers);
}

/** Whether the member is one of the list. */
function judgeMember(
  names: string[],
  value: string,
  line: string,
  at: number,
  report: Report,
): boolean {
  const name = names.at(-1) ?? '';
  const path = names.join('.');
  const isSafe = SAFE_MEMBERS.has(name);
  const isActive = names.some(one => ACTIVE.test(one));
  const does = isActive ? 'puts elements into the page' : 'no page of the site uses so';
  if (isActive || !isSafe)
    report(at, {
      rule: isActive ? 'script' : 'front-matter',
      key: `member ${path}${isActive ? ` ${squeeze(line)}` : originOf(value)}`,
      what: `a front matter member \`${name}\`, which ${does}`,
      instead: 'Leave the member out.',
      hint: name,
    });
  return isSafe;
}

/** Scheme and host, so that the same place is known again; of what climbs, all. */
function originOf(value: string): string {
  const [origin] = /(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#\\\s"']*/i.exec(value) ?? [];
  return origin === undefined && !value.includes('..') ? '' : ` ${origin ?? squeeze(value)}`;
}

function judgeValue(open: Value, { reading, report }: Readers): void {
  const { name, at, isBlock, lines } = open;
  const written = lines.join(' ').trim();
  if (written === '') return;
  const quoted = isBlock ? null : QUOTED.exec(written);
  const value =
    quoted?.[1]?.replace(/\\(.)/g, '$1') ??
    quoted?.[2]?.replaceAll("''", "'") ??
    written.replace(/[ ]#.*$/, '');
  const isList = !quoted && !isBlock && LIST.test(value);
  const isOpen = !quoted && !isBlock && !isList && (INDICATOR.test(written) || /: |:$/.test(value));
  const parts = isList ? value.slice(1, -1).split(/,/).map(unquote) : [value];
  const isPlain = parts.every(part => plainText(part) && !/<(?:[a-z]+\s|\/?[A-Z])/.test(part));
  if (isOpen || !isPlain)
    report(at, {
      rule: isOpen && !/script/i.test(written) ? 'front-matter' : 'script',
      key: `value ${isPlain ? '' : `${name} `}${squeeze(written)}`,
      what: `a value of the front matter member \`${name}\` that is not plain words`,
      instead: 'Write words only, in quotes and without escapes, or leave it out.',
      hint: lines[0]?.slice(0, 12) ?? '',
    });
  if (isPlain) for (const part of parts) judgePart(part, open, reading, report);
}

function judgePart(
  part: string,
  { name, isSafe, at }: Value,
  reading: PageReading,
  report: Report,
): void {
  const isAddress = isSafe ? ADDRESSES.test(name) : /^[^\s"'<>]+\/[^\s"'<>]*$/.test(part);
  const instead = 'Write a path of the site.';
  const item =
    PATHS.test(name) && !SITE_PATH.test(part)
      ? { rule: 'embed' as const, key: `path ${part}`, instead, hint: part.slice(0, 12) }
      : isAddress && /[/\\:]/.test(part)
        ? addressItem(part, isSafe ? 'link' : 'load', reading.path)
        : undefined;
  if (item) report(at, { ...item, what: `an address in the front matter member \`${name}\`` });
}

function unquote(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}

function refuse(at: number, source: string, what: string, report: Report): void {
  report(at, {
    rule: 'front-matter',
    key: `front matter ${squeeze(source).slice(0, 2_000)}`,
    what,
    instead: 'Begin the page with plain `name: value` lines between two lines of `---`.',
    hint: source.trim().slice(0, 12),
  });
}
