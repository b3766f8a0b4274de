import { h } from '../view/dom.ts';
import { inline, type InlineOptions } from './inline.ts';

const DELIMITER = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** A table with a row of names, in a box that scrolls sideways. */
export function readTable(lines: string[], at: number, options: InlineOptions) {
  if (!lines[at]!.includes('|') || !DELIMITER.test(lines[at + 1] ?? '')) return undefined;
  const names = cells(lines[at]!);
  if (names.length !== cells(lines[at + 1]!).length) return undefined;
  let next = at + 2;
  const rows: HTMLElement[] = [];
  for (; next < lines.length && lines[next]!.includes('|'); next += 1) {
    const row = cells(lines[next]!);
    rows.push(h('tr', {}, ...names.map((_, i) => h('td', {}, ...inline(row[i] ?? '', options)))));
  }
  const head = names.map(name => h('th', { scope: 'col' }, ...inline(name, options)));
  const table = h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows));
  return { node: h('div', { class: 'scroll', tabindex: 0, role: 'group' }, table), next };
}

/** The cells of a row; a bar with a backslash before it is text. */
function cells(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'));
}
