import type { Heading } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { parsePage, walk } from '../../sites/markdown.ts';
import type { Desk, Report, Work } from '../desk.ts';
import { openPage } from '../places.ts';
import { clip } from '../wording.ts';

type Values = (string | undefined)[];

/** Adds lines at the end of a page. */
export function* appendText(
  desk: Desk,
  [text = '', name = '']: Values,
  report: Report,
): Work<void> {
  const page = yield* openPage(desk, name);
  if ('reason' in page) return void report.failures.push(page.reason);
  const { path, lines } = page;
  const added = text.split('\n');
  if (desk.turn.again && added.every(line => lines.includes(line))) return;
  const before = lines.at(-1) ?? '';
  const isApart = before !== '' && !continues(text, before);
  desk.change(path, [lines.length, lines.length], [...(isApart ? [''] : []), ...added], report);
  report.sentences.push(`Added “${clip(text, 60)}” at the end of ${path}.`);
}

/** A line can continue a list or a table; a paragraph needs a blank line before it. */
function continues(text: string, before: string): boolean {
  const isPart = (line: string) => /^\s*(?:[-*+]\s|\d+[.)]\s|\|)/.test(line);
  return !text.includes('\n') && isPart(text) && isPart(before);
}

/** Adds a section at the end of a page. */
export function* addSection(
  desk: Desk,
  [heading = '', name = '', text = '']: Values,
  report: Report,
): Work<void> {
  const page = yield* openPage(desk, name);
  if ('reason' in page) return void report.failures.push(page.reason);
  const { path, lines } = page;
  const all = headings(path, lines);
  const plain = (title: string) => title.trim().toLowerCase();
  if (all.some(one => plain(toString(one)) === plain(heading))) {
    if (!desk.turn.again)
      report.failures.push(`${path} already has a section “${heading}”; I left it as it is.`);
    return;
  }
  const levels = all.map(({ depth }) => depth).filter(depth => depth > 1);
  const marks = '#'.repeat(Math.min(...(levels.length > 0 ? levels : [2])));
  const gap = (lines.at(-1) ?? '') === '' ? [] : [''];
  const fresh = [...gap, `${marks} ${heading}`, '', ...text.split('\n')];
  desk.change(path, [lines.length, lines.length], fresh, report);
  report.sentences.push(`Added the section “${heading}” to ${path}.`);
}

/** The headings of a page outside of code, in their order. */
export function headings(path: string, lines: string[]): Heading[] {
  const { tree } = parsePage(path, lines.join('\n'));
  return [...walk(tree)].filter(node => node.type === 'heading');
}
