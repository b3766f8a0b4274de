import { lineAt, lineStarts } from './line-edits.ts';
import { blank } from './links.ts';
import { lineKinds } from './markdown.ts';

/** Where a phrase stands in a page, or would, but for what is around it. */
export interface Found {
  start: number;
  end: number;
  /** 1-based. */
  line: number;
  /** False in link addresses, paths, imports and the like: a replacement there would break them. */
  mayChange: boolean;
}

/**
 * Addresses and names that other things depend on. A phrase of words leaves all of them alone; what
 * is a name itself (a domain, a flag, a package) only leaves links to pages.
 */
const PAGE_ADDRESSES = [
  /\]\(\s*<?(?!https?:)[^)\s>]*/,
  /^[ >]*\[[^\]\n]+\]:[ \t]*<?(?!https?:)[^\s>]*/,
  /\b(?:href|src)\s*=\s*\{?\s*["'`](?!https?:)[^"'`\n]*/,
  /\{[^{}\n]*\}/,
  /<script\b[^]*?(?:<\/script>|$(?![^]))/,
  /<style\b[^]*?(?:<\/style>|$(?![^]))/,
  /<\/?[A-Za-z][\w.-]*/,
];
const ADDRESSES = [
  ...PAGE_ADDRESSES,
  /\]\(\s*<?[^)\s>]*/,
  /^[ >]*\[[^\]\n]+\]:[ \t]*<?[^\s>]*/,
  /https?:\/\/[^\s)>"'`\]]+/,
  new RegExp(
    '\\b(?:href|src|id|to|icon|path|url|img|srcSet|className|class|slug)\\s*=\\s*' +
      /(?:"[^"\n]*"|'[^'\n]*'|\{[^}\n]*\})/.source,
  ),
  /(?<![\w.])\.{0,2}\/[\w.@-]+(?:\/[\w.@-]*)*/,
  /\b[\w-]+\.(?:mdx?|json|ya?ml|tsx?|jsx?|mjs|png|jpe?g|svg|gif|webp)\b/,
];
/** Frontmatter that readers see. */
const SHOWN = /^\s*(?:title|sidebarTitle|sidebar_label|description|summary|keywords|tags?)\s*:/i;
const INLINE_CODE = /(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[^])*?(?<!`)\1(?!`)/g;
/** One space of a phrase may be the end of a line in a paragraph. */
const SOFT_BREAK = '[ \\t]?\\n[ \\t]*(?:>[ \\t]?)*';

/** Every place of a phrase in a page, as whole words; letter case counts. */
export function findPhrase(lines: string[], phrase: string): Found[] {
  const text = lines.join('\n');
  if (!new RegExp(searchPattern(phrase)).test(text)) return [];
  const starts = lineStarts(lines);
  const kept = new Uint8Array(text.length);
  for (const range of keptRanges(lines, phrase)) kept.fill(1, range.start, range.end);
  const kinds = lineKinds(lines);
  return [...text.matchAll(phrasePattern(phrase))].map(({ index: start, 0: match }) => {
    const end = start + match.length;
    const line = lineAt(starts, start);
    const breaks = match.split('\n').length - phrase.split('\n').length;
    const wraps = Array.from({ length: breaks }, (_, at) => line + at);
    const mayChange =
      !kept.subarray(start, end).includes(1) &&
      wraps.every(at => kinds[at] === 'text' && !ENDS_BLOCK.test(lines[at] ?? ''));
    return { start, end, line: line + 1, mayChange };
  });
}

/** Lines that end a paragraph: headings, rows of tables, forced line ends. */
const ENDS_BLOCK = /^[\s>]*(?:#{1,6}\s|\|)|(?: {2}|\\)$/;

/** `text` in place of `match`, which may have a line end: it then keeps one, if it has a space. */
export function replacement(match: string, phrase: string, text: string): string {
  if (!match.includes('\n') || phrase.includes('\n')) return text;
  const before = match
    .slice(0, match.indexOf('\n'))
    .split(/[ \t]+/)
    .filter(Boolean).length;
  const words = text.split(' ');
  const at = Math.min(before, words.length - 1);
  if (at < 1) return text;
  const gap = match.slice(match.indexOf('\n')).match(/^\n[ \t]*(?:>[ \t]?)*/)?.[0] ?? '\n';
  return `${words.slice(0, at).join(' ')}${gap}${words.slice(at).join(' ')}`;
}

/** RE2 and JavaScript alike: lines that may begin a place of the phrase. */
export function searchPattern(phrase: string): string {
  return phrase.slice(0, 200).split(' ').map(escape).join('[\\s>]+');
}

function phrasePattern(phrase: string): RegExp {
  const spaces = phrase
    .split(/(?<=\S) (?=\S)/)
    .map(escape)
    .join(`(?: |${SOFT_BREAK})`);
  const before = /^[\p{L}\p{N}_]/u.test(phrase) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = /[\p{L}\p{N}_]$/u.test(phrase) ? '(?![\\p{L}\\p{N}_])' : '';
  return new RegExp(before + spaces + after, 'gu');
}

/** Offsets of what must stay as it is. */
function keptRanges(lines: string[], phrase: string): { start: number; end: number }[] {
  const starts = lineStarts(lines);
  const kinds = lineKinds(lines);
  const kept = lines.flatMap((line, index) => {
    const start = starts[index] ?? 0;
    const whole = { start, end: start + line.length };
    if (kinds[index] === 'import') return [whole];
    if (kinds[index] !== 'frontmatter') return [];
    const [key] = SHOWN.exec(line) ?? [];
    return [key === undefined ? whole : { start, end: start + key.length }];
  });
  const prose = lines
    .map((line, index) => (kinds[index] === 'text' ? line : blank(line)))
    .join('\n')
    .replace(INLINE_CODE, blank);
  const isName = !/^\p{L}[\p{L}' -]*$/u.test(phrase.trim());
  const addresses = (isName ? PAGE_ADDRESSES : ADDRESSES).map(({ source }) => source).join('|');
  for (const { index, 0: match } of prose.matchAll(new RegExp(addresses, 'gm')))
    kept.push({ start: index, end: index + match.length });
  return kept;
}

export function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
