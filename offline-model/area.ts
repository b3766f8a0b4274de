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
  /**
   * Whether a page may change at all, as for a link that follows: none that is left out, and with
   * "only" none that is not named.
   */
  mayChange(path: string): boolean;
  reason?: never;
}

/**
 * What a scope means of the files that are concerned at all, or the sentence that says why it means
 * nothing. A text that the instruction names and that one page alone holds says where it is: a
 * vague topic is no limit to it.
 */
export function* findArea(
  desk: Desk,
  scope: Scope,
  holding: string[],
  textNamed: boolean,
): Work<Area | { reason: string }> {
  let paths = [...new Set(holding)];
  const kept = scope.except ? yield* placePages(desk, scope.except) : [];
  if (scope.except && kept.length === 0)
    return { reason: `I found no page or folder "${scope.except.text}" to leave out.` };
  paths = paths.filter(path => !kept.includes(path));
  const named = scope.place ? yield* placePages(desk, scope.place) : [];
  if (scope.place && named.length === 0) {
    const vague =
      !scope.place.quoted &&
      !/\.mdx?\b|\w\/\w/i.test(scope.place.text) &&
      (scope.label || (textNamed && new Set(holding).size <= 1));
    if (!vague) return { reason: `I found no page or folder "${scope.place.text}".` };
  }
  if (named.length > 0) paths = paths.filter(path => named.includes(path));
  const ofLines = scope.section ?? scope.lines ?? scope.spare ?? LINES[scope.kind];
  const narrowed: Pick<Area, 'paths' | 'lines'> | { reason: string } = ofLines
    ? yield* narrow(desk, scope, paths)
    : { paths };
  if ('reason' in narrowed) return narrowed;
  const own = scope.only && (named.length > 0 ? named : scope.section && narrowed.paths);
  return {
    ...narrowed,
    whole: !scope.except && named.length === 0 && !narrowed.lines,
    mayChange: path => !kept.includes(path) && (own ? own.includes(path) : true),
  };
}

/** What holds whole lines. */
const LINES = {
  headings: 'heading',
  blocks: 'code',
  all: undefined,
  prose: undefined,
  code: undefined,
} as const;

/**
 * The lines that are named, of a section, of headings or code blocks, or what all of these share.
 */
function* narrow(
  desk: Desk,
  { section, place, kind, spare, lines: only }: Scope,
  within: string[],
): Work<Pick<Area, 'paths' | 'lines'> | { reason: string }> {
  if (only && within.length > 1)
    return { reason: `Line ${only.from} could be on any of ${within.length} pages; name one.` };
  const texts = yield* desk.readAll(within.filter(path => /\.mdx?$/i.test(path)));
  let found = [...texts].map(([path, text]) => ({ path, lines: new Set(text.keys()) }));
  if (section) {
    const sections = [...texts].flatMap(([path, text]) =>
      findSections(path, text, section.text).map(({ heading, end }) => ({
        path,
        lines: range(heading, end),
      })),
    );
    if (sections.length > 1 && !section.every)
      return {
        reason: `"${section.text}" is a section ${sections.length} times (${[...new Set(sections.map(({ path }) => path))].slice(0, 5).join(', ')}); name one of them, or say every.`,
      };
    // A folder or page may be called a section, too.
    const named = sections.length === 0 && !place ? yield* placePages(desk, section) : [];
    if (sections.length === 0 && named.length === 0)
      return {
        reason: `I found no section "${section.text}"${place ? ` on ${within.join(', ') || 'such a page'}` : ''}.`,
      };
    found = sections.length > 0 ? sections : found.filter(({ path }) => named.includes(path));
  }
  const lines = new Map<string, Set<number>>();
  for (const { path, lines: some } of found) {
    const text = texts.get(path) ?? [];
    const sort = LINES[kind];
    const kept = only ? range(only.from, Math.min(only.to, text.length)) : some;
    const ofSort = sort ? linesOf(sort, path, text) : some;
    const spared = spare ? linesOf(LINES[spare], path, text) : new Set();
    lines.set(
      path,
      new Set([
        ...(lines.get(path) ?? []),
        ...[...some].filter(line => kept.has(line) && ofSort.has(line) && !spared.has(line)),
      ]),
    );
  }
  return { paths: [...lines.keys()], lines };
}

/**
 * A section by the 1-based lines of its heading's beginning and end, of the end of its own text,
 * and of its end with its subsections.
 */
interface Section {
  heading: number;
  headingEnd: number;
  ownEnd: number;
  end: number;
}

/**
 * Each section with this heading; it ends at the next heading of its level or above, or with the
 * component that it stands in.
 */
export function findSections(path: string, text: string[], name: string): Section[] {
  const wanted = plain(name);
  const found: Section[] = [];
  for (const parent of walk(parsePage(path, text.join('\n')).tree)) {
    if (!('children' in parent)) continue;
    const last =
      parent.type === 'root'
        ? text.length
        : (parent.children.at(-1)?.position?.end.line ?? text.length);
    for (const [index, node] of parent.children.entries()) {
      if (
        node.type !== 'heading' ||
        (plain(toString(node)) !== wanted && slug(plain(toString(node))) !== name)
      )
        continue;
      const next = parent.children.slice(index + 1).filter(other => other.type === 'heading');
      const before = (other: typeof node | undefined) =>
        other?.position ? other.position.start.line - 1 : last;
      found.push({
        heading: node.position?.start.line ?? 1,
        headingEnd: node.position?.end.line ?? 1,
        ownEnd: before(next[0]),
        end: before(next.find(other => other.depth <= node.depth)),
      });
    }
  }
  return found;
}

function linesOf(type: string, path: string, text: string[]): Set<number> {
  const nodes = [...walk(parsePage(path, text.join('\n')).tree)].filter(node => node.type === type);
  return new Set(
    nodes.flatMap(({ position }) => [...range(position?.start.line ?? 1, position?.end.line ?? 0)]),
  );
}

/** 0-based, of 1-based lines, both inclusive. */
function range(from: number, to: number): Set<number> {
  return new Set(
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from - 1 + index),
  );
}

function plain(heading: string): string {
  return heading
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
