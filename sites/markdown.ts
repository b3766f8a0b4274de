import type { Nodes, Root } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { frontMatterValue, parseBoundedYaml } from './bounded-yaml.ts';
import { tooComplex } from './complexity.ts';
import { boundedMdx } from './mdx.ts';

/** Why a page, or its frontmatter, cannot be parsed. */
export interface PageError {
  rule: 'markdown' | 'mdx' | 'frontmatter';
  /** 1-based line of the file, or null if the parser names none. */
  line: number | null;
  message: string;
}

export interface Page {
  /** The frontmatter's members; empty if there is none or it cannot be parsed. */
  frontmatter: Record<string, unknown>;
  /** Offset in the text at which the body begins, after the frontmatter. */
  bodyOffset: number;
  /**
   * Positions are offsets and lines of the whole text. MDX that cannot be parsed is parsed as
   * Markdown instead; of a text that is refused as too complex, the blocks are here and their text
   * is plain.
   */
  tree: Root;
  error?: PageError;
}

const parsers = {
  markdown: unified().use(remarkParse).use(remarkFrontmatter, ['yaml']).use(remarkGfm).freeze(),
  mdx: unified()
    .use(remarkParse)
    .use(remarkFrontmatter, ['yaml'])
    .use(remarkGfm)
    .use(boundedMdx)
    .freeze(),
};

/**
 * Parses a page; `.mdx` as MDX (12 ms a file), anything else as Markdown with GFM. Never throws on
 * content.
 */
export function parsePage(path: string, text: string): Page {
  const { tree, error } = parseTree(path, text);
  if (text.startsWith('\uFEFF')) countByteOrderMark(tree);
  const [first] = tree.children;
  const matter = first?.type === 'yaml' ? readFrontmatter(first.value) : { members: {} };
  const bodyOffset =
    first?.type === 'yaml' ? afterLineEnd(text, first.position?.end.offset ?? 0) : 0;
  const found = error ?? matter.error;
  return { frontmatter: matter.members, bodyOffset, tree, ...(found ? { error: found } : {}) };
}

/** Every node of a tree, parents first. */
export function* walk(node: Nodes): Generator<Nodes> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* walk(child);
}

/** The parser passes over the mark and counts offsets from behind it. */
function countByteOrderMark(tree: Root): void {
  for (const { position } of walk(tree)) {
    if (position?.start.offset !== undefined) position.start.offset += 1;
    if (position?.end.offset !== undefined) position.end.offset += 1;
  }
}

export function isPagePath(path: string): boolean {
  return /\.mdx?$/i.test(path);
}

function parseTree(path: string, text: string): { tree: Root; error?: PageError } {
  if (!/\.mdx$/i.test(path)) return parseUnlessRefused('markdown', text);
  try {
    return parseUnlessRefused('mdx', text);
  } catch (cause) {
    const { tree } = parseUnlessRefused('markdown', text);
    return { tree, error: { rule: 'mdx', ...describe(cause) } };
  }
}

function parseUnlessRefused(
  syntax: keyof typeof parsers,
  text: string,
): { tree: Root; error?: PageError } {
  const refusal = tooComplex(text, syntax);
  if (!refusal) return { tree: parsers[syntax].parse(text) };
  const { tree, line, message } = refusal;
  return { tree, error: { rule: syntax, line, message } };
}

/**
 * unified throws `VFileMessage`s: a reason and mostly a line, which some name only within the
 * reason: `(3:1-3:7)`.
 */
function describe(cause: unknown): { line: number | null; message: string } {
  const { reason, line } = cause as { reason?: unknown; line?: unknown };
  const message = typeof reason === 'string' ? reason : 'cannot be parsed';
  const [, named] = /\((\d+):\d+/.exec(message) ?? [];
  return {
    line: typeof line === 'number' ? line : named === undefined ? null : Number(named),
    message,
  };
}

function readFrontmatter(yaml: string): { members: Record<string, unknown>; error?: PageError } {
  const fail = (line: number | null, message: string) => ({
    members: {},
    error: { rule: 'frontmatter' as const, line, message },
  });
  const document = parseBoundedYaml(yaml);
  const [problem] = document.errors;
  // The first line of the file is the fence, which the value leaves out.
  if (problem) return fail(yaml.slice(0, problem.pos[0]).split('\n').length + 1, problem.message);
  try {
    const value = frontMatterValue(document);
    if (value === null || value === undefined) return { members: {} };
    if (typeof value !== 'object' || Array.isArray(value))
      return fail(1, 'The frontmatter must be `name: value` lines.');
    return { members: value as Record<string, unknown> };
  } catch (error) {
    return fail(1, error instanceof Error ? error.message : 'The frontmatter cannot be read.');
  }
}

function afterLineEnd(text: string, offset: number): number {
  const rest = /^\r?\n/.exec(text.slice(offset, offset + 2));
  return offset + (rest?.[0].length ?? 0);
}
