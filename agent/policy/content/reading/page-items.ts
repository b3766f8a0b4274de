import { readBlocks } from './blocks.ts';
import { judgeColonFences, judgeFence } from './fence-info.ts';
import { judgeFrontMatter } from './front-matter.ts';
import { knownByFile } from '../known-by-file.ts';
import {
  type ContentItem,
  type PageReading,
  type Report,
  type SiteReading,
  squeeze,
} from '../item.ts';
import { judgeRst } from './rst.ts';
import { type Range, TextScan } from './scan-text.ts';
import { judgeStatements } from './statements.ts';
import { judgeSvg } from '../svg.ts';
import { judgeIncludes } from './includes.ts';
import { judgeTemplatesEverywhere } from './templates.ts';
import { beginFile, countWork, TooComplex } from '../work.ts';

/** Different ones. */
const MOST_ITEMS = 5_000;
/** How often one is named. */
const MOST_LINES = 10;

/**
 * Everything in a page or SVG file that is not on the list of what any page may have, in the order
 * in which it stands there. Reads the page for all renderers at once: what one of them would act
 * on, counts. Throws `TooComplex` for what takes more work than any page is worth.
 */
export function itemsOfPage(path: string, source: string, site: SiteReading): ContentItem[] {
  beginFile();
  const text = withPlainLineEnds(path, source);
  const items = new Map<string, ContentItem[]>();
  const lineOf = lineCounter(text);
  const report: Report = (at, item) => {
    // mdBook shows `\{{#include …}}` as it is, whatever it names.
    const known = text[at - 1] === '\\' ? item : knownByFile(item, path);
    const key = `${known.rule} ${known.key}`;
    const same = items.get(key) ?? [];
    if (same.length < MOST_LINES) same.push({ ...known, line: lineOf(at) });
    items.set(key, same);
    if (items.size > MOST_ITEMS) throw new TooComplex();
  };
  if (/\.svg$/i.test(path)) judgeSvg(text, report);
  else if (/\.(?:rst|txt)$/i.test(path)) judgeRst(text, report);
  else judgePage(path, text, { mdx: /\.mdx$/i.test(path), ...site }, report);
  return [...items.values()].flat().toSorted((a, b) => a.line - b.line);
}

/** A line ends where any renderer ends one; every offset stays. */
function withPlainLineEnds(path: string, source: string): string {
  return source.replace(
    /\.(?:rst|txt)$/i.test(path) ? /\r(?!\n)|[\v\f\x1c-\x1e\x85\u2028\u2029]/g : /\r(?!\n)/g,
    '\n',
  );
}

/**
 * Some renderers take them out: what is around them becomes one word. Escape stays: code blocks with
 * the colours of a terminal have it.
 */
function judgeControls(text: string, report: Report): void {
  for (const { index, 0: control } of text.matchAll(
    /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/g,
  )) {
    const line = text.slice(Math.max(0, index - 100), index + 100);
    countWork(line.length);
    report(index, {
      rule: 'markup',
      key: `control ${squeeze(line)}`,
      what: 'an invisible control character',
      instead: 'Leave it out.',
      hint: control,
    });
  }
}

function judgePage(path: string, text: string, reading: PageReading, report: Report): void {
  const { end: bodyAt } = judgeFrontMatter(text, report);
  // Offsets of the body are those of the text: the front matter becomes empty lines.
  const body = text.slice(0, bodyAt).replace(/[^\n]/g, ' ') + text.slice(bodyAt);
  const { texts, fences } = readBlocks(body, reading);
  const statements: Range[] = texts.flatMap(block => judgeStatements(body, block, path, report));
  const scan = new TextScan(body, reading, statements, report);
  for (const { start, end, info } of fences) {
    const content = body.indexOf('\n', start) + 1;
    if (judgeFence(info, body.slice(content, end), start, report)) {
      scan.scan({ start: content, end, trusted: false, paragraph: -1, table: false });
    }
  }
  for (const block of texts) scan.scan(block);
  judgeColonFences(body, report);
  judgeControls(text, report);
  judgeIncludes(body, report);
  if (reading.templatesInCode) judgeTemplatesEverywhere(body, report);
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
