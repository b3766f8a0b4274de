import { addressItem } from './addresses.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { plainText } from './plain-text.ts';

/** Members that name or sort a page, and do nothing else. */
const SAFE_MEMBERS = new Set(
  (
    'title description sidebar_label sidebar_position sidebarTitle slug id tags keywords weight date ' +
    'lastmod updated draft icon iconType order nav_order nav_title toc hide hide_title ' +
    'hide_table_of_contents toc_min_heading_level toc_max_heading_level author authors category ' +
    'categories summary status tag mode hidden boost deprecated outline prev next pagination_prev ' +
    'pagination_next pagination_label lang linkTitle aliases search label noindex unlisted image ' +
    'sidebar tableOfContents lastUpdated editUrl navigation parent has_children comments version ' +
    'public groups subtitle name contributors text link badge variant collapsed minHeadingLevel ' +
    'maxHeadingLevel exclude'
  ).split(' '),
);
/** Those whose value leads somewhere. */
const ADDRESSES =
  /^(?:image|slug|aliases|prev|next|link|editUrl|pagination_prev|pagination_next|icon)$/;
const ACTIVE = /^(?:head|scripts?|styles?|css|js|javascript|extra_css|extra_javascript)$/i;
const MEMBER = /^([ ]*)(?:- )?(["']?)([A-Za-z_][\w.-]*)\2[ ]*[:=](?:[ ]+(.*?))?[ ]*$/;
const ITEM = /^[ ]*- (.*?)[ ]*$/;
const BLOCK = /^[|>][+-]?$/;
/** Begins what YAML does not read as text: anchors, tags, directives. */
const INDICATOR = /^- |^[&*!%@`?|>{}]|^\[(?!.*\]$)/;

/**
 * Judges a page's front matter line by line and finds its end. Plain are members of the list with
 * texts, numbers and lists of them, between two lines of `---`, or of `+++` for TOML.
 */
export function judgeFrontMatter(text: string, reading: PageReading, report: Report): number {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const head = text.slice(start, start + 500);
  const other =
    /^\s*(?:---[ \t]*[^\s-][^\n]*|;;;[^\n]*|\{\s*"[^"]*"\s*:)/.exec(head) ??
    /^\s+(?:---|\+\+\+)[ \t]*\r?\n\s*["'\w-]+\s*[:=][^\n]*/.exec(head);
  if (other) refuse(0, other[0], 'front matter that is not plain YAML', report);
  const [fence] = other ? [] : (/^(?:---|\+\+\+)(?=[ \t]*\r?\n)/.exec(head) ?? []);
  if (fence === undefined) return start;
  const close = new RegExp(
    `\\n(?:${fence === '---' ? '---|\\.\\.\\.' : '\\+\\+\\+'})(?=[ \\t]*(?:\\r?\\n|$))`,
    'g',
  );
  close.lastIndex = start + 2;
  const end = close.exec(text);
  if (!end) {
    if (/^---[ \t]*\r?\n[ \t]*["'\w-]+\s*:/.test(head))
      refuse(0, head, 'front matter that does not end', report);
    return start;
  }
  judgeLines(text, text.indexOf('\n', start) + 1, end.index + 1, reading, report);
  return Math.max(text.indexOf('\n', end.index + 1) + 1, end.index + 1);
}

function judgeLines(text: string, from: number, to: number, reading: PageReading, report: Report) {
  let at = from;
  let member = { name: '', indent: -1, isBlock: false };
  const names: { name: string; indent: number }[] = [];
  for (const raw of text.slice(from, to).split('\n')) {
    const line = raw.replace(/\r$/, '');
    const [, indent = '', , name, value = ''] = MEMBER.exec(line) ?? [];
    const column = /^ */.exec(line)?.[0].length ?? 0;
    const isText = member.isBlock && (column > member.indent || line.trim() === '');
    if (line.trim() === '' || (/^\s*#/.test(line) && !isText)) {
      if (!plainText(line))
        refuse(at, line, 'a comment in the front matter that is not plain', report);
    } else if (isText || name === undefined) {
      const item = ITEM.exec(line)?.[1];
      if (!isText && item === undefined && column <= member.indent)
        refuse(at, line, 'a line of the front matter that is not plain', report);
      else judgeValue(member.name, item ?? line.trim(), isText, { at, reading, report });
    } else {
      while (names.length > 0 && (names.at(-1)?.indent ?? 0) >= indent.length) names.pop();
      names.push({ name, indent: indent.length });
      member = { name, indent: indent.length, isBlock: BLOCK.test(value) };
      judgeMember(
        names.map(one => one.name),
        value,
        line,
        { at, reading, report },
      );
    }
    at += raw.length + 1;
  }
}

interface Place {
  at: number;
  reading: PageReading;
  report: Report;
}

function judgeMember(names: string[], value: string, line: string, place: Place): void {
  const name = names.at(-1) ?? '';
  const { at, report } = place;
  const say = (rule: 'script' | 'front-matter', key: string, what: string): void =>
    report(at, { rule, key, what, instead: 'Leave the member out.', hint: name });
  if (ACTIVE.test(name))
    return say(
      'script',
      `member ${squeeze(line)}`,
      `a front matter member \`${name}\`, which puts elements into the page`,
    );
  const isOwn = names.some(one => ACTIVE.test(one));
  if (isOwn) return say('script', `member ${names.join('.')} ${squeeze(line)}`, `\`${name}\``);
  if (!SAFE_MEMBERS.has(name))
    say(
      'front-matter',
      `member ${names.join('.')}${originOf(value)}`,
      `a front matter member \`${name}\`, which no page of the site uses so`,
    );
  if (!BLOCK.test(value)) judgeValue(name, value, false, place);
}

/** Scheme and host, so that the same place is known again. */
function originOf(value: string): string {
  const [origin] = /(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#\\\s"']*/i.exec(value) ?? [];
  return origin === undefined ? '' : ` ${origin}`;
}

function judgeValue(name: string, written: string, isText: boolean, place: Place): void {
  const { at, reading, report } = place;
  const quoted = /^"((?:[^"\\]|\\["\\/])*)"(?:[ ]+#.*)?$|^'((?:[^']|'')*)'(?:[ ]+#.*)?$/.exec(
    written,
  );
  const value =
    quoted?.[1]?.replace(/\\(.)/g, '$1') ??
    quoted?.[2]?.replaceAll("''", "'") ??
    written.replace(/[ ]#.*$/, '');
  const isOpen =
    !quoted && !isText && (/^["']/.test(written) || INDICATOR.test(written) || /: |:$/.test(value));
  const parts =
    !quoted && /^\[.*\]$/.test(value) ? value.slice(1, -1).split(/,/).map(unquote) : [value];
  const isPlain = parts.every(part => plainText(part) && !/<(?:[a-z]+\s|\/?[A-Z])/.test(part));
  if (isOpen && !/^\[\s*\]$/.test(value))
    report(at, {
      rule: /script/i.test(written) ? 'script' : 'front-matter',
      key: `value ${squeeze(written)}`,
      what: `a value of the front matter member \`${name}\` that is not a plain text`,
      instead: 'Put the text in quotes, without escapes, or leave it out.',
      hint: written.slice(0, 12),
    });
  if (!isPlain)
    report(at, {
      rule: 'script',
      key: `member ${name} ${squeeze(written)}`,
      what: `markup in the front matter member \`${name}\``,
      instead: 'Write words only.',
      hint: written.slice(0, 12),
    });
  if (!ADDRESSES.test(name) || !isPlain) return;
  for (const part of parts) {
    const item = /[/\\:]/.test(part) ? addressItem(part, 'link', reading.path) : undefined;
    if (item) report(at, { ...item, what: `an address in the front matter member \`${name}\`` });
  }
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
