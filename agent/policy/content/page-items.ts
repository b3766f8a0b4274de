import { lineCounter } from '../../../sites/outline/line-counter.ts';
import { type Blocks, readBlocks } from './blocks.ts';
import { judgeCharacters } from './characters.ts';
import { judgeFence, withPlainOptions } from './fences.ts';
import { judgeFrontMatter } from './front-matter.ts';
import {
  type ContentItem,
  type PageReading,
  type Report,
  type SiteReading,
  TooComplex,
} from './item.ts';
import { judgeRst } from './rst.ts';
import { TextScan } from './scan-text.ts';
import { judgeStatements } from './statements.ts';
import { judgeSvg } from './svg.ts';
import { judgePlugins, judgeTemplates } from './templates.ts';
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
  const linesBefore = lineCounter(text);
  const report: Report = (at, item) => {
    // mdBook shows `\{{#include …}}` as it is, whatever it names.
    const known = text[at - 1] === '\\' ? item : knownByFile(item, path);
    const key = `${known.rule} ${known.key}`;
    const same = items.get(key) ?? [];
    const line = linesBefore(at) + 1;
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
  const { end, isText } = judgeFrontMatter(text, reading, report);
  // Offsets of the body are those of the text: the front matter becomes empty lines.
  const body = isText ? text : text.slice(0, end).replace(/[^\n]/g, ' ') + text.slice(end);
  judgeBody(body, reading, report, 0);
  judgePlugins(body, reading.kinds, report);
  if (reading.templatesInCode) judgeTemplates(body, report);
}

function judgeBody(body: string, reading: PageReading, report: Report, depth: number): void {
  const { texts, fences, unclear }: Blocks = readBlocks(body, reading);
  // What follows a line that may begin code is its content to some, and text to others.
  for (const { start, end, info } of unclear)
    judgeFence(info, body.slice(end, end + 4_000), { at: start, from: end }, reading, report);
  const scan = new TextScan(body, reading, report);
  for (const { start, end, info } of fences) {
    const from = Math.min(body.indexOf('\n', start) + 1 || end, end);
    const content = withPlainOptions(body.slice(from, end));
    if (!judgeFence(info, content, { at: start, from }, reading, report)) continue;
    if (depth > DEEPEST) throw new TooComplex('It has more nested directives than can be judged.');
    const inner = content.replace(/(^|\n)[^\n]*\n?$/, '$1');
    judgeBody(inner, reading, (at, item) => report(from + at, item), depth + 1);
  }
  let judged = 0;
  const starts = fences.map(({ start }) => start);
  for (const block of texts) {
    while ((starts[0] ?? Infinity) < block.start) starts.shift();
    scan.limit = starts[0] ?? Infinity;
    for (const range of judgeStatements(body, block, judged, reading, report)) {
      const start = Math.max(block.start, judged);
      if (range.start > start) scan.scan({ ...block, start, end: range.start });
      judged = Math.max(judged, range.end);
    }
    const start = Math.max(block.start, judged);
    if (start < block.end) scan.scan({ ...block, start });
  }
}

/** What takes a file into the page in mdBook, MyST and VitePress, up to its path; with a hint. */
const INCLUDES: readonly [before: RegExp, hint?: string][] = [
  [/^template \{!/, '{!'],
  [/^snippet @\[code[^\]\n]*\]\((?=@\/)/, '@[code'],
  [/^template \{\{#(?:include|rustdoc_include|playground) /, '{{#'],
  [/^fence (?:\{(?:include|literalinclude)\} ){1,2}/],
  [/^snippet <!-- ?@include: ?/, '@include'],
  [/^snippet <<< ?/, '<<<'],
];
const PATH = /^(?:@\/)?[^\s:{}#<>/@][^\s:{}#<>()!]*?(?=--|[\s:{}#<>()!]|$)/;
/** Lines, names and titles are free; a language that runs is none of them. */
const PARTS = /[#:][\w:.-]+|\{[\w\s:,.=-]*\}|\[[\w .-]*\]|\s+/g;
const MODULE = /(\b(?:from|import)\s*)(["'])(\.\.?\/[^"'\n]*)\2/g;

/**
 * An inclusion, and a script with its modules, are known by their files, as an import is: a page that
 * moves has other paths to the same files, and brings nothing new.
 */
function knownByFile<Item extends Pick<ContentItem, 'key' | 'hint'>>(
  item: Item,
  path: string,
): Item {
  const { key } = item;
  // markdown-include counts from the top, and so does `@/`.
  const folder = key.startsWith('template {!') ? '.' : posix.dirname(path);
  const from = (file: string) =>
    file.startsWith('@/') ? posix.normalize(file) : posix.join('/', folder, file);
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
    const lead = before.replace(/=[^\s\]]+/g, '=*');
    const shape = shapeOf(file.startsWith('@/') ? posix.normalize(file) : posix.join(folder, file));
    // Lines of a page may be code there, and are none here.
    const isPage = /\.(?:mdx?|markdown|rst|html?)$/i.test(file);
    const free = key.startsWith('fence') ? rest.replace(/[\w.-]+/g, '*') : rest.replace(PARTS, '');
    const part = isPage || /-vue\b/i.test(rest) ? rest : free;
    return {
      ...item,
      key: lead + (shape === undefined ? from(file) + rest : shape + part),
      hint,
    };
  }
  return item;
}

/** Files of one kind in one folder of the repository are included alike. */
function shapeOf(file: string): string | undefined {
  const [, folder, below = '', ending] =
    /^((?:@\/|(?:\.\.\/)+)?(?!\.\.|\.git)[^/]+)(\/.*)(\.[a-z\d]+)$/i.exec(file) ?? [];
  return folder === undefined || below.includes('/.') ? undefined : `${folder}/*${ending}`;
}
