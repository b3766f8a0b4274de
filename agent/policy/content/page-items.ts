import { type Blocks, readBlocks } from './blocks.ts';
import { judgeFence } from './fences.ts';
import { judgeFrontMatter } from './front-matter.ts';
import {
  type ContentItem,
  type PageReading,
  type Report,
  type SiteReading,
  TooComplex,
  squeeze,
} from './item.ts';
import { judgeRst } from './rst.ts';
import { TextScan } from './scan-text.ts';
import { judgeStatements } from './statements.ts';
import { judgeSvg } from './svg.ts';
import { judgeInCode } from './templates.ts';
import { posix } from 'node:path';

/** Different ones. */
const MOST_ITEMS = 5_000;
/** How often one is named. */
const MOST_LINES = 10;
/** Code blocks within directives within directives. */
const DEEPEST = 8;
/** Generators that compile every page as a program, or might. */
const COMPILES = /^(?:docusaurus|docs\.json|folder)$/;

/**
 * Everything in a page or SVG file that is not in a plain form, in the order in which it stands
 * there. The text is read once, by tables of marks, and by no renderer's grammar. Throws
 * `TooComplex` for more than anybody can read.
 */
export function itemsOfPage(path: string, text: string, site: SiteReading): ContentItem[] {
  const items = new Map<string, ContentItem[]>();
  const lineOf = lineCounter(text);
  const report: Report = (at, item) => {
    // mdBook shows `\{{#include …}}` as it is, whatever it names.
    const known = text[at - 1] === '\\' ? item : knownByFile(item, path);
    const key = `${known.rule} ${known.key}`;
    const same = items.get(key) ?? [];
    const line = lineOf(at);
    if (same.length < MOST_LINES && same.at(-1)?.line !== line) same.push({ ...known, line });
    items.set(key, same);
    if (items.size > MOST_ITEMS) throw new TooComplex('It has more marks than can be judged.');
  };
  judgeCharacters(text, report);
  if (/\.svg$/i.test(path)) judgeSvg(text, report);
  else if (/\.(?:rst|txt)$/i.test(path)) judgeRst(text, path, report);
  else judgePage(text, readingOf(path, site), report);
  return [...items.values()].flat().toSorted((a, b) => a.line - b.line);
}

function readingOf(path: string, site: SiteReading): PageReading {
  const mdx = /\.mdx$/i.test(path);
  const mayBeMdx = mdx || site.kinds.length === 0 || site.kinds.some(kind => COMPILES.test(kind));
  return { ...site, path, mdx, mayBeMdx };
}

function judgePage(text: string, reading: PageReading, report: Report): void {
  const bodyAt = judgeFrontMatter(text, reading, report);
  // Offsets of the body are those of the text: the front matter becomes empty lines.
  const body = text.slice(0, bodyAt).replace(/[^\n]/g, ' ') + text.slice(bodyAt);
  judgeBody(body, reading, report, 0);
  if (reading.templatesInCode)
    judgeInCode(withoutRaw(body), 0, { isBook: false, isTemplate: true }, report);
}

/** What is raw is shown as it is; the tags around it are judged with the text. */
function withoutRaw(body: string): string {
  return body.replace(/\{%-? ?raw ?-?%\}[^]*?\{%-? ?endraw ?-?%\}/g, whole =>
    whole.replace(/[{}]/g, ' '),
  );
}

function judgeBody(body: string, reading: PageReading, report: Report, depth: number): void {
  const { texts, fences }: Blocks = readBlocks(body, reading);
  const scan = new TextScan(body, reading, report);
  for (const { start, end, info } of fences) {
    const from = Math.min(body.indexOf('\n', start) + 1 || end, end);
    const content = body.slice(from, end);
    if (!judgeFence(info, content, { at: start, from }, reading, report)) continue;
    if (depth > DEEPEST) throw new TooComplex('It has more nested directives than can be judged.');
    const inner = content.replace(/(^|\n)[^\n]*\n?$/, '$1');
    judgeBody(inner, reading, (at, item) => report(from + at, item), depth + 1);
  }
  let judged = 0;
  for (const block of texts) {
    for (const range of judgeStatements(body, block, judged, reading, report)) {
      const start = Math.max(block.start, judged);
      if (range.start > start) scan.scan({ ...block, start, end: range.start });
      judged = Math.max(judged, range.end);
    }
    const start = Math.max(block.start, judged);
    if (start < block.end) scan.scan({ ...block, start });
  }
}

/** The line of a place, 1-based. */
export function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return at => {
    let low = 0;
    let high = starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/**
 * Characters that do not show, that end a line for some readers only, or that turn what is around
 * them: none of them may come with a job, in text or in code.
 */
const ODD =
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffd]|[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]|^[ \t]*[^\S \t\r\n]/gmu;
/** Within an emoji, or between letters that join. */
const JOINS = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?$|[\p{L}\p{M}]$/u;
const EMOJI = /[\p{Extended_Pictographic}\d#*]\p{Emoji_Modifier}?$|\p{Emoji_Modifier}$/u;

function judgeCharacters(text: string, report: Report): void {
  for (const { index, 0: found } of text.matchAll(ODD)) {
    const before = text.slice(Math.max(0, index - 4), index);
    if (found === '\ufe0f' && EMOJI.test(before)) continue;
    const next = text.slice(index + 1, index + 3);
    const joins = /^[\u200c\u200d]$/.test(found) && JOINS.test(before);
    if (joins && /^(?:\p{Extended_Pictographic}|(?![\p{ASCII}])[\p{L}\p{M}])/u.test(next)) continue;
    const start = text.lastIndexOf('\n', index) + 1;
    const line = text.slice(Math.max(start, index - 100), index + 100).split('\n', 1)[0] ?? '';
    const code = found.codePointAt(found.length - 1) ?? 0;
    report(index, {
      rule: 'markup',
      key: `character ${code} ${squeeze(line)}`,
      what: `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}, which does not show`,
      instead: 'Leave it out.',
      hint: found,
    });
  }
}

/** What takes a file into the page in mdBook, MyST and VitePress, up to its path; with a hint. */
const INCLUDES: readonly [before: RegExp, hint?: string][] = [
  [/^template \{\{#(?:include|rustdoc_include|playground) /, '{{#'],
  [/^fence (?:\{(?:include|literalinclude)\} ){1,2}/],
  [/^snippet <!-- ?@include: ?/, '@include'],
  [/^snippet <<< ?/, '<<<'],
];
const PATH = /^[^\s:{}#<>/@][^\s:{}#<>]*?(?=--|[\s:{}#<>]|$)/;
const MODULE = /(\b(?:from|import)\s*)(["'])(\.\.?\/[^"'\n]*)\2/g;

/**
 * An inclusion, and a script with its modules, are known by their files, as an import is: a page that
 * moves has other paths to the same files, and brings nothing new.
 */
function knownByFile<Item extends Pick<ContentItem, 'key' | 'hint'>>(
  item: Item,
  path: string,
): Item {
  const from = (file: string) => posix.join('/', posix.dirname(path), file);
  const { key } = item;
  if (key.startsWith('element <script'))
    return {
      ...item,
      key: key.replace(
        MODULE,
        (_whole, lead: string, quote: string, file: string) => lead + quote + from(file) + quote,
      ),
    };
  for (const [pattern, hint = item.hint] of INCLUDES) {
    const before = pattern.exec(key)?.[0];
    const file = before === undefined ? undefined : PATH.exec(key.slice(before.length))?.[0];
    if (before === undefined || file === undefined) continue;
    const rest = key.slice(before.length + file.length);
    return { ...item, key: before + (shapeOf(file, path) ?? from(file) + rest), hint };
  }
  return item;
}

/** Files of one kind in one folder of the repository are included alike. */
function shapeOf(file: string, path: string): string | undefined {
  const whole = posix.join(posix.dirname(path), file);
  const [, folder, ending] = /^([^/]+)\/.*(\.[a-z\d]+)$/i.exec(whole) ?? [];
  const isOdd = folder === undefined || ending === undefined || /(?:^|\/)\./.test(whole);
  return isOdd ? undefined : `${folder}/*${ending}`;
}
