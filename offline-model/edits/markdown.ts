import { toString } from 'mdast-util-to-string';
import { parsePage, walk } from '../../shared/site/markdown.ts';
import type { Scope } from '../instruction.ts';

/**
 * Which parts of a page a rewrite may touch; `targets` are link targets, URLs, paths and
 * attributes. Imports never change.
 */
export interface Reach {
  code: boolean;
  prose: boolean;
  targets?: boolean;
}

const KEPT = [
  /\]\([^)\s]*\)?/, // link and image targets
  /^\s*\[[^\]]+\]:\s*\S+/, // link definitions
  /https?:\/\/[^\s)>"'`\]]+/,
  /\b(?:href|src|id|to|icon|path|url|img|srcSet|className|class|slug)=(?:"[^"]*"|'[^']*'|\{[^}]*\})/,
  /\{#[^}]+\}/,
  /(?<![\w.])\.{0,2}\/[\w.@-]+(?:\/[\w.@-]*)*/, // paths
  /\b[\w-]+\.(?:mdx?|json|ya?ml|tsx?|jsx?|mjs|png|jpe?g|svg|gif|webp)\b/,
]
  .map(pattern => pattern.source)
  .join('|');
/** Around frontmatter; the first may follow a byte order mark. */
const FENCE = /^\uFEFF?---[ \t]*$/;
const CODE = /(`+)(?:(?!\1)[\s\S])+?\1(?!`)/.source;

/**
 * What a scope leaves open; `code` says whether text of no particular sort is changed in code as
 * well.
 */
export function reachOf({ kind }: Scope, code: boolean): Reach {
  const onlyCode = kind === 'code' || kind === 'blocks';
  return { code: onlyCode || (kind !== 'prose' && code), prose: !onlyCode };
}

/**
 * Applies `change` to the parts of each line that may be touched, of the lines `within` where given
 * (0-based); returns the new lines.
 */
export function rewrite(
  lines: string[],
  reach: Reach,
  change: (part: string) => string,
  within?: Set<number>,
): string[] {
  const splitter = new RegExp(
    [...(reach.code ? [] : [CODE]), ...(reach.targets ? [] : [KEPT])].join('|') || '(?!)',
    'g',
  );
  let fence: string | null = null;
  let frontmatter = FENCE.test(lines[0] ?? '');
  return lines.map((line, index) => {
    const edit = within && !within.has(index) ? (text: string) => text : change;
    if (frontmatter) {
      if (index > 0 && FENCE.test(line)) frontmatter = false;
      return reach.prose ? inFrontmatter(line, edit) : line;
    }
    const mark = /^\s*(?:>\s*)*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      if (mark?.startsWith(fence)) fence = null;
      return reach.code ? edit(line) : line;
    }
    if (mark) {
      fence = mark;
      return reach.code ? edit(line) : line;
    }
    if (/^(?:import|export)\s/.test(line)) return line;
    return reach.prose ? outside(line, splitter, edit) : inside(line, new RegExp(CODE, 'g'), edit);
  });
}

/** Values that readers see, never the members' names. */
function inFrontmatter(line: string, change: (part: string) => string): string {
  const member = /^(\s*(?:title|sidebarTitle|description|summary|keywords|tag)\s*:\s*)(.*)$/i.exec(
    line,
  );
  return member ? `${member[1]}${change(member[2] ?? '')}` : line;
}

function outside(line: string, kept: RegExp, change: (part: string) => string): string {
  let result = '';
  let from = 0;
  for (const match of line.matchAll(kept)) {
    result += change(line.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + change(line.slice(from));
}

function inside(line: string, spans: RegExp, change: (part: string) => string): string {
  return line.replace(spans, span => change(span));
}

/** The 0-based line of the frontmatter's closing `---`; -1 where there is none. */
export function frontmatterEnd(lines: string[]): number {
  return FENCE.test(lines[0] ?? '')
    ? lines.findIndex((line, index) => index > 0 && FENCE.test(line))
    : -1;
}

/**
 * Headings that begin their line, with their level and 0-based first and last line: an underlined
 * one has several.
 */
export function headings(
  path: string,
  lines: string[],
): { line: number; end: number; level: number; text: string }[] {
  return [...walk(parsePage(path, lines.join('\n')).tree)].flatMap(node =>
    node.type === 'heading' && node.position?.start.column === 1
      ? [
          {
            line: node.position.start.line - 1,
            end: node.position.end.line - 1,
            level: node.depth,
            text: toString(node)
              .replace(/\{#.*\}/, '')
              .trim(),
          },
        ]
      : [],
  );
}
