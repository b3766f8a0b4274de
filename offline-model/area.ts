import { slug } from 'github-slugger';
import { toString } from 'mdast-util-to-string';
import { parsePage, walk } from '../shared/site/markdown.ts';
import type { Desk, Work } from './desk.ts';
import type { Scope } from './instruction.ts';
import { placePages } from './pages.ts';

/** The pages, and on them the lines, that a scope means. */
export interface Area {
  paths: string[];
  /** Every page, as a whole. */
  whole: boolean;
  /** The 0-based lines that may change; all of them where undefined. */
  lines?: Map<string, Set<number>>;
  /** Whether a page may change at all, as for a link that follows: none that is left out, and with "only" none that is not named. */
  mayChange(path: string): boolean;
  reason?: never;
}

/**
 * What a scope means of the files that are concerned at all, or the sentence that says why it means nothing.
 * A text that the instruction names and that one page alone holds says where it is: a vague topic is no limit to it.
 */
export function* findArea(desk: Desk, scope: Scope, holding: string[], textNamed: boolean): Work<Area | { reason: string }> {
  let paths = [...new Set(holding)];
  const kept = scope.except ? yield* placePages(desk, scope.except) : [];
  if (scope.except && kept.length === 0) return { reason: `I found no page or folder "${scope.except.text}" to leave out.` };
  paths = paths.filter((path) => !kept.includes(path));
  const named = scope.place ? yield* placePages(desk, scope.place) : [];
  if (scope.place && named.length === 0) {
    const vague = scope.label || (textNamed && !scope.place.quoted && new Set(holding).size <= 1);
    if (!vague) return { reason: `I found no page or folder "${scope.place.text}".` };
  }
  if (named.length > 0) paths = paths.filter((path) => named.includes(path));
  const narrowed: Pick<Area, 'paths' | 'lines'> | { reason: string } = scope.section || LINES[scope.kind] ? yield* narrow(desk, scope, paths) : { paths };
  if ('reason' in narrowed) return narrowed;
  const own = scope.only && (named.length > 0 ? named : scope.section && narrowed.paths);
  return { ...narrowed, whole: !scope.except && named.length === 0 && !narrowed.lines, mayChange: (path) => !kept.includes(path) && (own ? own.includes(path) : true) };
}

/** What holds whole lines. */
const LINES: Partial<Record<Scope['kind'], 'heading' | 'code'>> = { headings: 'heading', blocks: 'code' };

/** The lines of a section, of headings or code blocks, or of both. */
function* narrow(desk: Desk, { section, place, kind }: Scope, within: string[]): Work<Pick<Area, 'paths' | 'lines'> | { reason: string }> {
  const texts = yield* desk.readAll(within.filter((path) => /\.mdx?$/i.test(path)));
  let found = [...texts].map(([path, text]) => ({ path, lines: new Set(text.keys()) }));
  if (section) {
    const sections = [...texts].flatMap(([path, text]) => sectionLines(path, text, section.text).map((lines) => ({ path, lines })));
    if (sections.length > 1 && !section.every) return { reason: `"${section.text}" is a section ${sections.length} times (${[...new Set(sections.map(({ path }) => path))].slice(0, 5).join(', ')}); name one of them, or say every.` };
    // A folder or page may be called a section, too.
    const named = sections.length === 0 && !place ? yield* placePages(desk, section) : [];
    if (sections.length === 0 && named.length === 0) return { reason: `I found no section "${section.text}"${place ? ` on ${within.join(', ') || 'such a page'}` : ''}.` };
    found = sections.length > 0 ? sections : found.filter(({ path }) => named.includes(path));
  }
  const lines = new Map<string, Set<number>>();
  for (const { path, lines: some } of found) {
    const sort = LINES[kind];
    const kept = sort ? linesOf(sort, path, texts.get(path) ?? []) : some;
    lines.set(path, new Set([...lines.get(path) ?? [], ...[...some].filter((line) => kept.has(line))]));
  }
  return { paths: [...lines.keys()], lines };
}

/** The lines of each section with this heading, subsections included; it ends at the next heading of its level or above. */
function sectionLines(path: string, text: string[], name: string): Set<number>[] {
  const wanted = plain(name);
  const found: Set<number>[] = [];
  for (const parent of walk(parsePage(path, text.join('\n')).tree)) {
    if (!('children' in parent)) continue;
    for (const [index, node] of parent.children.entries()) {
      if (node.type !== 'heading' || (plain(toString(node)) !== wanted && slug(plain(toString(node))) !== name)) continue;
      const next = parent.children.slice(index + 1).find((other) => other.type === 'heading' && other.depth <= node.depth);
      const end = next ? (next.position?.start.line ?? 1) - 1 : parent.type === 'root' ? text.length : parent.position?.end.line ?? text.length;
      found.push(range(node.position?.start.line ?? 1, end));
    }
  }
  return found;
}

function linesOf(type: string, path: string, text: string[]): Set<number> {
  const nodes = [...walk(parsePage(path, text.join('\n')).tree)].filter((node) => node.type === type);
  return new Set(nodes.flatMap(({ position }) => [...range(position?.start.line ?? 1, position?.end.line ?? 0)]));
}

/** 0-based, of 1-based lines, both inclusive. */
function range(from: number, to: number): Set<number> {
  return new Set(Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from - 1 + index));
}

function plain(heading: string): string {
  return heading.replace(/\{#[^}]*\}\s*$/, '').replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim().toLowerCase();
}
