import { posix } from 'node:path';
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

type Item = Omit<ContentItem, 'line'>;

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
  return { ...site, path, mdx, mayBeMdx, imported: new Set() };
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

/** What takes a file into the page, up to its path; the path; and the rest. */
const INCLUDE = new RegExp(
  [
    '^(template \\{!|template \\{\\{#(?:include|rustdoc_include|playground) |template \\{%-? include ["\']',
    '|fence (?:\\{(?:include|literalinclude)\\} ){1,2}|directive literalinclude ',
    '|snippet (?:<!-- ?@include: ?|<<< ?|-+8<-+ ["\']|@\\[code[^\\]\\n]*\\]\\((?=@/)))',
    '((?:@/)?[^\\s:{}#<>/@"\'][^\\s:{}#<>()!"\']*?(?=--|[\\s:{}#<>()!"\']|$))(.*)$',
  ].join(''),
);
const MARK = /\{!|\{\{#|\{%|@include|<<<|8<|@\[code/;
/** Lines, names and titles are free; a language that runs is none of them. */
const PARTS = /[#:][\w:.-]+|\{[\w\s:,.=-]*\}|\[[\w .-]*\]|\s+/g;
const MODULE = /(\b(?:from|import)\s*)(["'])(\.\.?\/[^"'\n]*)\2/g;

/**
 * An inclusion, and a script with its modules, are known by their files, as an import is: a page that
 * moves has other paths to the same files, and brings nothing new. Files of one kind in one folder of
 * the repository are included alike.
 */
function knownByFile(item: Item, path: string): Item {
  const { key } = item;
  const folder = posix.dirname(path);
  if (key.startsWith('element <script')) {
    const from = (_: string, lead: string, quote: string, file: string) =>
      lead + quote + posix.join('/', folder, file) + quote;
    return { ...item, key: key.replace(MODULE, from) };
  }
  const [, before, file = '', rest = ''] = INCLUDE.exec(key) ?? [];
  if (before === undefined) return item;
  const isCode = /^(?:fence|directive)/.test(before);
  // These count from the top.
  const isFromTop = file.startsWith('@/') || /\{[!%]|8</.test(before);
  const at = isFromTop ? posix.normalize(file) : posix.join(folder, file);
  const [, top, below = '', ending] = IN_A_FOLDER.exec(at) ?? [];
  // Lines of a page may be code there, and are none here.
  const isPage = /\.(?:mdx?|markdown|rst|html?)$/i.test(file);
  const free = isCode ? rest.replace(/[\w.-]+/g, '*') : rest.replace(PARTS, '');
  const part = isPage || /-vue\b/i.test(rest) ? rest : free;
  const isAlike = top !== undefined && !below.includes('/.') && !(isPage && /%|8</.test(before));
  const lead = before.replace(/=[^\s\]]+/g, '=*');
  const hint = MARK.exec(before)?.[0] ?? item.hint;
  const exact = file.startsWith('@/') ? at : posix.join('/', at);
  return { ...item, hint, key: lead + (isAlike ? `${top}/*${ending}${part}` : exact + rest) };
}

const IN_A_FOLDER = /^((?:@\/|(?:\.\.\/)+)?(?!\.\.|\.git)[^/]+)(\/.*)(\.[a-z\d]+)$/i;
