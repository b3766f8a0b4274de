import type { Nodes, Parent } from 'mdast';
import { parsePage, walk } from '../../sites/markdown.ts';

/** Offsets in a text, the end exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** Attributes that people read; all others are names, addresses and settings. */
const READ = new RegExp(
  String.raw`\s(?:title|label|header|description|summary|caption|tip|alt|placeholder|aria-label)` +
    String.raw`\s*=\s*(?:"([^"]*)"|'([^']*)')`,
  'gi',
);

/** Frontmatter that people read; all else in it are names, addresses and settings. */
const SHOWN =
  /^[ \t]*(?:title|sidebarTitle|sidebar_label|description|summary|keywords|tags?)[ \t]*:(.*)$/gim;

/** Elements whose content is code. */
const CODE = /^(?:script|style|pre|code|kbd|samp)$/i;

/**
 * What of raw HTML is not text: comments, code, and tags. One that is not closed ends with the
 * text: looking again for the end of each would take minutes.
 */
const MARKUP = new RegExp(
  [
    String.raw`<!--(?:[^]*?-->|[^]*)`,
    String.raw`<(script|style|pre|code|kbd|samp)\b(?:[^]*?<\/\1\s*>|[^]*)`,
    String.raw`<\/?[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>?`,
  ].join('|'),
  'gi',
);

/**
 * The parts of a page that are code (code blocks and inline code), or prose: all that is neither
 * code nor markup, a link's address or label, an expression, an import or a setting of frontmatter.
 */
export function scopeRanges(path: string, text: string, scope: 'prose' | 'code'): Range[] {
  const code: Range[] = [];
  const others: Range[] = [];
  for (const node of walk(parsePage(path, text).tree)) {
    const range = extent(node);
    if (node.type === 'code' || node.type === 'inlineCode') code.push(range);
    else if (scope === 'prose') others.push(...notProse(node, range, text));
  }
  return scope === 'code' ? code : gaps([...code, ...others], { start: 0, end: text.length });
}

function notProse(node: Nodes, whole: Range, text: string): Range[] {
  const { start, end } = whole;
  switch (node.type) {
    case 'link':
      return [{ start: text.startsWith('[', start) ? endOfText(node, start) : start, end }];
    case 'linkReference':
      return [{ start: node.referenceType === 'full' ? endOfText(node, start) : start, end }];
    case 'image':
      return [{ start: Math.max(start, text.lastIndexOf('](', end - 1)), end }];
    case 'imageReference': {
      const label = node.referenceType === 'full' ? text.lastIndexOf('][', end - 1) : start;
      return [{ start: Math.max(start, label), end }];
    }
    case 'footnoteDefinition':
      return [{ start, end: extent(node.children[0]).start || end }];
    case 'definition':
    case 'footnoteReference':
    case 'mdxjsEsm':
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return [whole];
    case 'html':
      return markupOf(whole, text);
    case 'yaml':
      return gaps(fieldsOf(whole, text), whole);
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement': {
      if (CODE.test(node.name ?? '')) return [whole];
      const inside = extent(node.children[0]).start || end;
      return [
        ...tag({ start, end: inside }, text),
        { start: extent(node.children.at(-1)).end || end, end },
      ];
    }
    default:
      return 'children' in node ? codeElements(node.children) : [];
  }
}

/** The values that people read. */
function fieldsOf({ start, end }: Range, text: string): Range[] {
  return Array.from(
    text.slice(start, end).matchAll(SHOWN),
    ({ index, 0: { length }, 1: value = '' }) => {
      const to = start + index + length;
      return { start: to - value.length, end: to };
    },
  );
}

/** Where the text of a link ends and its address or label begins. */
function endOfText({ children }: Parent, start: number): number {
  return extent(children.at(-1)).end || start;
}

function markupOf({ start, end }: Range, text: string): Range[] {
  const found = [...text.slice(start, end).matchAll(MARKUP)];
  return found.flatMap(({ index, 0: written, 1: code }) => {
    const range = { start: start + index, end: start + index + written.length };
    return code !== undefined || written.startsWith('<!') ? [range] : tag(range, text);
  });
}

/** Raw HTML within a paragraph: `<code>`, the text and `</code>` are nodes of their own. */
function codeElements(nodes: readonly Nodes[]): Range[] {
  const found: Range[] = [];
  let from: number | undefined;
  for (const node of nodes) {
    if (node.type !== 'html') continue;
    const [, slash, name = ''] = /^<(\/?)(\w+)/.exec(node.value) ?? [];
    if (!CODE.test(name)) continue;
    if (slash === '') from ??= extent(node).start;
    else if (from !== undefined) {
      found.push({ start: from, end: extent(node).end });
      from = undefined;
    }
  }
  return found;
}

/** A tag without what people read in it. */
function tag(range: Range, text: string): Range[] {
  const read = Array.from(
    text.slice(range.start, range.end).matchAll(READ),
    ({ index, 0: { length }, 1: double, 2: single = '' }) => {
      const end = range.start + index + length - 1;
      return { start: end - (double ?? single).length, end };
    },
  );
  return gaps(read, range);
}

function extent(node: Nodes | undefined): Range {
  return { start: node?.position?.start.offset ?? 0, end: node?.position?.end.offset ?? 0 };
}

/** What the ranges leave of a whole. */
function gaps(ranges: Range[], whole: Range): Range[] {
  const rest: Range[] = [];
  let from = whole.start;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > from) rest.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  if (from < whole.end) rest.push({ start: from, end: whole.end });
  return rest;
}
