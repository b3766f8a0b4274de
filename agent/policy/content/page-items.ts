import { type Blocks, readBlocks } from './blocks.ts';
import { judgeCharacters } from './characters.ts';
import { judgeFence } from './fences.ts';
import { judgeFrontMatter } from './front-matter.ts';
import {
  type ContentItem,
  type PageReading,
  type Report,
  type SiteReading,
  TooComplex,
} from './item.ts';
import { knownByFile } from './known-by-file.ts';
import { judgeRst } from './rst.ts';
import { TextScan } from './scan-text.ts';
import { judgeStatements } from './statements.ts';
import { judgeSvg } from './svg.ts';
import { judgeInCode } from './templates.ts';

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

function lineCounter(text: string): (at: number) => number {
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
