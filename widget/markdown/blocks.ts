import { h } from '../view/dom.ts';
import { inline, type InlineOptions } from './inline.ts';
import { readTable } from './table.ts';

export interface BlockOptions extends InlineOptions {
  /** Makes the element of a code block; `language` is '' if none is named. */
  code(text: string, language: string): Node;
}
/** A block, and the line after it. */
type Read = { node: Node; next: number } | undefined;

/** Deeper than this, lists and quotes are paragraphs. */
const MAX_DEPTH = 6;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})(?=\s)/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}>\s?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/;
const BLANK = /^\s*$/;

/**
 * Markdown as nodes, made while it arrives: a block that is followed by another one does not change
 * any more.
 */
export class MarkdownView {
  readonly #root: HTMLElement;
  readonly #options: BlockOptions;
  /** The text of the blocks that may still change, and their nodes. */
  #rest = '';
  #open: Node[] = [];

  constructor(root: HTMLElement, options: BlockOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** Shows more of the text. */
  add(piece: string): void {
    for (const node of this.#open) this.#root.removeChild(node);
    const lines = (this.#rest + piece.replaceAll('\r', '')).split('\n');
    const blocks = [...readBlocks(lines, this.#options, 0)];
    this.#root.append(...blocks.map(({ node }) => node));
    // The last but one, too: `---` is a rule until it is the second line of a table.
    const open = blocks.slice(-2);
    this.#open = open.map(({ node }) => node);
    this.#rest = lines.slice(open[0]?.from ?? 0).join('\n');
  }
}

function* readBlocks(lines: string[], options: BlockOptions, depth: number) {
  for (let at = 0; at < lines.length;) {
    if (BLANK.test(lines[at]!)) at += 1;
    else {
      const block = readBlock(lines, at, options, depth);
      yield { ...block, from: at };
      at = block.next;
    }
  }
}

function readBlock(lines: string[], at: number, options: BlockOptions, depth: number) {
  return (
    readFence(lines, at, options) ??
    readHeading(lines, at, options) ??
    (RULE.test(lines[at]!) ? { node: h('hr'), next: at + 1 } : undefined) ??
    (depth < MAX_DEPTH ? readQuote(lines, at, options, depth) : undefined) ??
    (depth < MAX_DEPTH ? readList(lines, at, options, depth) : undefined) ??
    readTable(lines, at, options) ??
    readParagraph(lines, at, options)
  );
}

function readFence(lines: string[], at: number, options: BlockOptions): Read {
  const [, fence, language = ''] = FENCE.exec(lines[at]!) ?? [];
  if (!fence) return undefined;
  let end = at + 1;
  const isEnd = (line: string) =>
    line.trim().length >= fence.length && line.trim().replaceAll(fence[0]!, '') === '';
  while (end < lines.length && !isEnd(lines[end]!)) end += 1;
  const text = lines.slice(at + 1, end).join('\n');
  return { node: options.code(text, language), next: end + 1 };
}

/** The answer stands below the widget's own heading, so that its headings are lower ones. */
function readHeading(lines: string[], at: number, options: BlockOptions): Read {
  const [start, marks] = HEADING.exec(lines[at]!) ?? [];
  if (!start || !marks) return undefined;
  const text = withoutClosing(lines[at]!.slice(start.length).trim());
  return { node: h(marks.length < 3 ? 'h4' : 'h5', {}, ...inline(text, options)), next: at + 1 };
}

/** `## Title ##` is closed, `# C#` is not. No pattern: those that find an end are not linear. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return /^\s?$/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text;
}

function readQuote(lines: string[], at: number, options: BlockOptions, depth: number): Read {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end]!)) end += 1;
  if (end === at) return undefined;
  const inner = lines.slice(at, end).map(line => line.replace(QUOTE, ''));
  return { node: h('blockquote', {}, ...nodesOf(inner, options, depth + 1)), next: end };
}

function readList(lines: string[], at: number, options: BlockOptions, depth: number): Read {
  const first = ITEM.exec(lines[at]!);
  if (!first) return undefined;
  const isOrdered = /\d/.test(first[2]!);
  const items: HTMLElement[] = [];
  let next = at;
  for (let item: RegExpExecArray | null = first; item; item = ITEM.exec(lines[next] ?? '')) {
    if (/\d/.test(item[2]!) !== isOrdered || RULE.test(lines[next]!)) break;
    const width = item[0].length;
    const inner = [lines[next]!.slice(width)];
    for (next += 1; next < lines.length && belongs(lines, next, width); next += 1)
      inner.push(lines[next]!.replace(new RegExp(`^\\s{0,${width}}`), ''));
    items.push(h('li', {}, ...tight(nodesOf(inner, options, depth + 1))));
    while (BLANK.test(lines[next] ?? 'x') && ITEM.test(lines[next + 1] ?? '')) next += 1;
  }
  const start = isOrdered ? Number.parseInt(first[2]!, 10) : 1;
  const list = isOrdered ? h('ol', { start: start === 1 ? undefined : start }) : h('ul');
  list.append(...items);
  return { node: list, next };
}

/** Whether a line is part of the item before it: indented, or the rest of its paragraph. */
function belongs(lines: string[], at: number, width: number): boolean {
  const line = lines[at]!;
  const indent = line.length - line.trimStart().length;
  if (BLANK.test(line)) return /^\s/.test(lines[at + 1] ?? '') && !BLANK.test(lines[at + 1]!);
  if (indent >= Math.min(width, 2)) return true;
  return !ITEM.test(line) && !BLANK.test(lines[at - 1]!) && !isBlockStart(line);
}

/** An item of one paragraph needs none. */
function tight(nodes: Node[]): Node[] {
  const [first, ...rest] = nodes;
  return first instanceof HTMLParagraphElement ? [...first.childNodes, ...rest] : nodes;
}

function readParagraph(lines: string[], at: number, options: BlockOptions) {
  let end = at + 1;
  while (end < lines.length && !BLANK.test(lines[end]!) && !isBlockStart(lines[end]!)) end += 1;
  const text = lines
    .slice(at, end)
    .map(line => line.trimStart())
    .join('\n');
  return { node: h('p', {}, ...inline(text.trimEnd(), options)), next: end };
}

function isBlockStart(line: string): boolean {
  return [FENCE, HEADING, RULE, QUOTE, ITEM].some(start => start.test(line));
}

function nodesOf(lines: string[], options: BlockOptions, depth: number): Node[] {
  return [...readBlocks(lines, options, depth)].map(({ node }) => node);
}
