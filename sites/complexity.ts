import type { Nodes, Root } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { boundedMdx } from './mdx.ts';

/** Characters that the parser may pass over again, a second's worth or two. */
const MAX_WORK = 64_000_000;
/** Telling blocks apart costs less, and much more than nothing. */
const MAX_OUTLINE_WORK = 4_000_000_000;
const TOO_MANY_MARKS = 'Too many brackets, emphasis marks or lines in one paragraph: split it.';
const MAX_LEVELS = 100;
/** What each line before an underlined heading costs, in characters. */
const LINE_BEFORE_HEADING = 8;
/** Everything that a paragraph may hold but text. */
const WITHIN_PARAGRAPHS = [
  'attention',
  'autolink',
  'codeText',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
  'emailAutolink',
  'protocolAutolink',
  'wwwAutolink',
  'gfmFootnoteCall',
  'gfmPotentialFootnoteCall',
  'strikethrough',
  'mdxJsxTextTag',
  'mdxTextExpression',
];

const outlines = {
  markdown: unified()
    .use(remarkParse)
    .use(remarkFrontmatter, ['yaml'])
    .use(remarkGfm)
    .use(blocksOnly)
    .freeze(),
  mdx: unified()
    .use(remarkParse)
    .use(remarkFrontmatter, ['yaml'])
    .use(remarkGfm)
    .use(boundedMdx)
    .use(blocksOnly)
    .freeze(),
};

export interface Refusal {
  /** 1-based. */
  line: number;
  message: string;
  /** What can be read of it: its frontmatter and blocks, with each paragraph as plain text. */
  tree: Root;
}

/**
 * Why a text must not be given to the Markdown parser, or undefined if it may. The parser goes
 * through a paragraph again for each mark in it that may end, or begin, elsewhere (20,000 `![` take
 * minutes, in which the whole process is blocked). No page that people wrote comes near these
 * limits: each item, row and cell counts alone; code, frontmatter, HTML blocks and definitions do
 * not count. For MDX it throws what the parser throws.
 */
export function tooComplex(
  text: string,
  syntax: keyof typeof outlines = 'markdown',
): Refusal | undefined {
  const refusal = tooDeep(text) ?? tooUnderlined(text);
  if (refusal) return refusal;
  // No paragraph continues after an empty line.
  const most = text.split(/\n[ \t\r>]*\n/).reduce((sum, part) => sum + work(part), 0);
  if (most <= MAX_WORK) return undefined;
  if (most > MAX_OUTLINE_WORK) return refuseFrom(text, afterFrontmatter(text), TOO_MANY_MARKS);
  const tree = outlines[syntax].parse(text);
  let total = 0;
  for (const { position } of paragraphs(tree)) {
    total += work(text.slice(position?.start.offset, position?.end.offset));
    if (total > MAX_WORK) return { line: position?.start.line ?? 1, message: TOO_MANY_MARKS, tree };
  }
  return undefined;
}

function blocksOnly(this: Processor): void {
  this.data().micromarkExtensions?.push({ disable: { null: WITHIN_PARAGRAPHS } });
}

function* paragraphs(node: Nodes): Generator<Nodes> {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') yield node;
  else if ('children' in node) for (const child of node.children) yield* paragraphs(child);
}

function work(text: string): number {
  const marks = text.match(/[[\]*~]|<[!?]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu)?.length ?? 0;
  // A run of backticks looks for its like, in vain once for each length.
  const ticks = new Set(text.match(/`+/g)).size;
  // A web address leaves punctuation at its end out, and looks at every mark whether the end has
  // come.
  const ends = text.match(/(?:[!"'),.:;?<]|&[a-z]+;){100,}/gi)?.join('').length ?? 0;
  // Each word may begin an address, for which all lines and marks before it are looked at.
  const words = text.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)?.length ?? 0;
  const lines = text.split('\n').length;
  return (marks + ticks + ends) * text.length + 2 * words * lines;
}

function tooDeep(text: string): Refusal | undefined {
  let offset = afterFrontmatter(text);
  for (const line of text.slice(offset).split('\n')) {
    const levels =
      /^(?:[ \t]{0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))+/.exec(line)?.[0].match(/[>*+.)-]/g)
        ?.length ?? 0;
    // An item lies in a list for every two characters before it, at most.
    const indent = /^[ \t]*(?=(?:[-*+]|\d{1,9}[.)])[ \t])/.exec(line)?.[0].length ?? 0;
    if (Math.max(levels, indent / 2) > MAX_LEVELS)
      return refuseFrom(text, offset, `More than ${MAX_LEVELS} levels of quotes and lists.`);
    offset += line.length + 1;
  }
  return undefined;
}

/** For each line of `=` or `-` below text, the parser moves all that it has read. */
function tooUnderlined(text: string): Refusal | undefined {
  let offset = 0;
  let headings = 0;
  let isText = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (isText && /^[ \t>]*(?:=+|-+)[ \t\r]*$/.test(line)) headings += 1;
    if (headings * index * LINE_BEFORE_HEADING > MAX_WORK)
      return refuseFrom(text, offset, 'Too many underlined headings: begin them with #.');
    isText = line.trim() !== '';
    offset += line.length + 1;
  }
  return undefined;
}

/** Not even the blocks can be distinguished in what follows `offset`. */
function refuseFrom(text: string, offset: number, message: string): Refusal {
  const tree = outlines.markdown.parse(text.slice(0, offset));
  tree.children.push({
    type: 'paragraph',
    children: [{ type: 'text', value: text.slice(offset) }],
  });
  return { line: text.slice(0, offset).split('\n').length, message, tree };
}

function afterFrontmatter(text: string): number {
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(text)) return 0;
  const end = /\n---[ \t]*\r?\n/.exec(text);
  return end ? end.index + end[0].length : 0;
}
