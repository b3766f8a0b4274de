import MarkdownIt, { type Token } from 'markdown-it';
import {
  type OutlineHeading,
  type PageOutline,
  trailingBraces,
  withoutBraces,
} from '../../outline/page-outline.ts';
import { textOf, objectOf } from '../../values.ts';

/** What `markup.goldmark` says of headings. */
export interface HeadingRules {
  type: 'github' | 'github-ascii' | 'blackfriday';
  /** Headings get ids that nobody wrote. */
  isAutomatic: boolean;
  /** `{#id}` behind a heading is read. */
  readsAttributes: boolean;
  /** What becomes of `--` and `---`. */
  dashes: { two: string; three: string };
  /** Bare addresses are links. */
  findsLinks: boolean;
  /** Terms of definition lists get ids as well. */
  namesTerms: boolean;
}

/** A page with the terms of its definition lists. */
export interface HugoOutline extends PageOutline {
  /** `before` is the number of the heading that comes next. */
  terms: { text: string; before: number }[];
}

/** `goldmark` with its names in lower case. */
export function headingRules(goldmark: Record<string, unknown>): HeadingRules {
  const parser = objectOf(goldmark.parser);
  const extensions = objectOf(goldmark.extensions);
  const { typographer } = extensions;
  const isPlain = typographer === false || objectOf(typographer).disable === true;
  const dashes = objectOf(typographer);
  const type = textOf(parser.autoidtype) ?? textOf(parser.autoheadingidtype);
  return {
    type: type === 'github-ascii' || type === 'blackfriday' ? type : 'github',
    isAutomatic: parser.autoheadingid !== false,
    readsAttributes: objectOf(parser.attribute).title !== false,
    dashes: {
      two: isPlain ? '--' : withoutEntities(dashes.endash),
      three: isPlain ? '---' : withoutEntities(dashes.emdash),
    },
    findsLinks: extensions.linkify !== false,
    namesTerms: parser.autodefinitiontermid === true,
  };
}

/** Dashes are entities unless the configuration says otherwise; no id has them. */
function withoutEntities(value: unknown): string {
  return (textOf(value) ?? '').replace(/&#?\w+;/g, '');
}

/** Ids as Hugo makes them, of the text of the heading. */
export function headingIds(rules: HeadingRules): (outline: PageOutline) => string[] {
  return outline => idsOf(outline, rules).headings;
}

/** The ids of headings, and those of terms. */
export function idsOf(
  outline: PageOutline | HugoOutline,
  rules: HeadingRules,
): { headings: string[]; terms: string[] } {
  const used = new Set<string>();
  const terms: string[] = [];
  const named = 'terms' in outline ? [...outline.terms] : [];
  const give = (id: string): string => {
    used.add(id);
    return id;
  };
  const headings = outline.headings.flatMap((heading, index) => {
    while (named[0] && named[0].before <= index)
      terms.push(
        give(unused(slugOf(headingText(named.shift()?.text ?? '', rules), rules.type), used)),
      );
    if (heading.id !== undefined) return [heading.id];
    const { own, text } = partsOf(heading, rules);
    if (own === undefined && (!rules.isAutomatic || text === '')) return [];
    return [give(own ?? unused(slugOf(text, rules.type), used))];
  });
  for (const { text } of named)
    terms.push(give(unused(slugOf(headingText(text, rules), rules.type), used)));
  return { headings, terms };
}

function partsOf({ raw }: OutlineHeading, rules: HeadingRules) {
  const line = withoutShortcodes(raw);
  const attributes = rules.readsAttributes ? attributesOf(trailingBraces(line)) : undefined;
  const text = headingText(
    attributes ? withoutBraces(line).replace(/(?:^| )#+$/, '') : line,
    rules,
  );
  // Of a heading that is underlined, the last line counts.
  return { own: attributes?.id, text: text.slice(text.lastIndexOf('\n') + 1) };
}

const inline = new MarkdownIt({ html: true });

/** The text of a heading; of an element within, such as a link, its first piece alone. */
function headingText(written: string, { dashes, findsLinks }: HeadingRules): string {
  const linked = findsLinks
    ? written.replace(/(?<![(<"'\w])(?:https?:\/\/|www\.)[^\s<]+/g, '')
    : written;
  if (!/[\\*_~`[<&!-]/.test(linked)) return linked;
  let depth = 0;
  let isDone = false;
  let text = '';
  const add = (piece: string): void => {
    if (!isDone) text += piece;
    isDone ||= depth > 0 && piece !== '';
  };
  for (const token of inline.parseInline(linked, {})[0]?.children ?? []) {
    depth += token.nesting;
    if (depth === 0) isDone = false;
    if (token.markup === 'autolink') isDone = token.nesting === 1;
    add(pieceOf(token, dashes));
  }
  return text;
}

function pieceOf(token: Token, { two, three }: HeadingRules['dashes']): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n';
  if (token.type === 'code_inline' || token.type === 'text_special') return token.content;
  if (token.type === 'image') return token.children?.[0]?.content ?? '';
  if (token.type !== 'text') return '';
  return token.content.replace(/-{2,3}/g, dash => (dash.length === 2 ? two : three));
}

/** `{#id .class name="value"}`; undefined if the braces are text. */
function attributesOf(braces: string): { id: string | undefined } | undefined {
  const inner = braces.slice(1, -1).trim();
  if (inner === '') return undefined;
  const rest = inner.replace(ATTRIBUTE, '').replace(/[\s,]+/g, '');
  if (rest !== '') return undefined;
  const [, short, quoted] = /(?:^|[\s,])(?:#([^\s,]+)|id=["']([^"']*)["'])/.exec(inner) ?? [];
  return { id: short ?? quoted };
}

const ATTRIBUTE =
  /#[\w:.\u00A0-\uFFFF-]+|\.[\w-]+|[a-zA-Z_:][\w:.-]*=(?:"[^"]*"|'[^']*'|[\d.]+|true|false|\[[^\]]*\])/g;

/** `{{< name >}}` and `{{% name %}}` are put in later; a mark that is not closed ends the search. */
function withoutShortcodes(text: string): string {
  let kept = '';
  let from = 0;
  for (const { index } of text.matchAll(/\{\{[<%]/g)) {
    if (index < from) continue;
    const ends = ['>}}', '%}}'].map(end => text.indexOf(end, index)).filter(end => end >= 0);
    if (ends.length === 0) break;
    kept += text.slice(from, index);
    from = Math.min(...ends) + 3;
  }
  return kept + text.slice(from);
}

function unused(slug: string, used: ReadonlySet<string>): string {
  const first = slug === '' ? 'heading' : slug;
  let id = first;
  for (let count = 1; used.has(id); count++) id = `${first}-${count}`;
  return id;
}

function slugOf(text: string, type: HeadingRules['type']): string {
  if (type === 'blackfriday') {
    const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return words.filter(word => word !== '').join('-');
  }
  const written = type === 'github-ascii' ? text.normalize('NFD').replace(/\p{Mn}/gu, '') : text;
  const letters = type === 'github-ascii' ? /[\w]/ : /[\p{L}\p{Nd}_]/u;
  return [...written.trim()]
    .map(char => (char === '-' || char === ' ' ? '-' : letters.test(char) ? char : ''))
    .join('')
    .toLowerCase();
}
