import { parsePage, walk } from '../../shared/site/markdown.ts';

/** Offsets in a text, the end exclusive. */
export interface Range {
  start: number;
  end: number;
}

/**
 * The parts of a page that are code (code blocks and inline code), or prose: all that is neither code
 * nor a link's address nor an import.
 */
export function scopeRanges(path: string, text: string, scope: 'prose' | 'code'): Range[] {
  const code: Range[] = [];
  const addresses: Range[] = [];
  for (const node of walk(parsePage(path, text).tree)) {
    const start = node.position?.start.offset ?? 0;
    const end = node.position?.end.offset ?? 0;
    if (node.type === 'code' || node.type === 'inlineCode') code.push({ start, end });
    else if (node.type === 'link') addresses.push({ start: isAutolink(text, start, end) ? start : (node.children.at(-1)?.position?.end.offset ?? start), end });
    else if (node.type === 'image') addresses.push({ start: Math.max(start, text.lastIndexOf('](', end)), end });
    else if (node.type === 'definition' || node.type === 'mdxjsEsm') addresses.push({ start, end });
  }
  return scope === 'code' ? code : complement([...code, ...addresses], text.length);
}

function isAutolink(text: string, start: number, end: number): boolean {
  return !text.slice(start, end).startsWith('[');
}

function complement(ranges: Range[], length: number): Range[] {
  const rest: Range[] = [];
  let from = 0;
  for (const { start, end } of ranges.sort((a, b) => a.start - b.start)) {
    if (start > from) rest.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  rest.push({ start: from, end: length });
  return rest;
}
