import { rememberByContent } from '../../content-cache.ts';
import { readBlocks } from './blocks.ts';
import { judgeFenceInfo } from './fence-info.ts';
import { judgeFrontMatter } from './front-matter.ts';
import { knownByFile } from './known-by-file.ts';
import type { ContentItem, PageReading, Report } from './item.ts';
import { judgeRst } from './rst.ts';
import { type Range, TextScan } from './scan-text.ts';
import { takingTurns } from '../turns.ts';
import { judgeStatements } from './statements.ts';
import { svgItems } from './svg.ts';
import { judgeTemplatesInCode } from './templates.ts';

/**
 * Everything in a page or SVG file that is not on the list of what any page may have, in the order
 * in which it stands there. Reads the page for all renderers at once: what one of them would act
 * on, counts.
 */
export function contentItems(
  path: string,
  text: string,
  plainPython: boolean,
): Promise<ContentItem[]> {
  return (plainPython ? forPython : forAll)(path, text);
}

const forAll = rememberByContent((path, text) => find(path, text, false), 2_000);
const forPython = rememberByContent((path, text) => find(path, text, true), 2_000);

async function find(path: string, text: string, plainPython: boolean): Promise<ContentItem[]> {
  if (/\.svg$/i.test(path)) return svgItems(text);
  const items: ContentItem[] = [];
  const lineOf = lineCounter(text);
  const report: Report = (at, item) => {
    // mdBook shows `\{{#include …}}` as it is, whatever it names.
    const known = text[at - 1] === '\\' ? item : knownByFile(item, path);
    items.push({ ...known, line: lineOf(at) });
  };
  if (/\.(?:rst|txt)$/i.test(path)) judgeRst(text, report);
  else await judgePage(path, text, { mdx: /\.mdx$/i.test(path), plainPython }, report);
  return items.toSorted((a, b) => a.line - b.line);
}

async function judgePage(
  path: string,
  text: string,
  reading: PageReading,
  report: Report,
): Promise<void> {
  const { end: bodyAt } = judgeFrontMatter(text, report);
  // Offsets of the body are those of the text: the front matter becomes empty lines.
  const body = text.slice(0, bodyAt).replace(/[^\n]/g, ' ') + text.slice(bodyAt);
  const { texts, fences } = await readBlocks(body, reading);
  const turn = takingTurns();
  const statements: Range[] = [];
  for (const block of texts) {
    await turn();
    statements.push(...judgeStatements(body, block, path, report));
  }
  const scan = new TextScan(body, reading, statements, report);
  for (const { start, end, info } of fences) {
    if (judgeFenceInfo(info, start, report)) {
      const content = body.indexOf('\n', start) + 1;
      scan.scan({ start: content, end, trusted: false, paragraph: -1, table: false });
    }
  }
  for (const block of texts) {
    await turn();
    scan.scan(block);
  }
  judgeTemplatesInCode(body, 0, report);
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
