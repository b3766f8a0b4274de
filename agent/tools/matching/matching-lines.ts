import { clipAround, linesAt, splitLines } from '../text.ts';
import { plainForm } from './plain-form.ts';
import type { PatternMatcher } from './pattern-matcher.ts';

const MAX_LINE = 300;

/** Which matching lines to show: those from number `from` to before `to`, and lines about them. */
export interface ShownPart {
  from: number;
  to: number;
  around: number;
}

export interface FoundLines {
  /** Matching lines and texts with one, shown or not. */
  lines: number;
  texts: number;
  shown: { text: number; lines: ShownLine[] }[];
}

export interface ShownLine {
  number: number;
  isMatch: boolean;
  /** Cut about its match. */
  content: string;
}

/** The lines in which a match begins, of what is written or of what people read. */
export function matchingLines(
  matcher: PatternMatcher,
  plain: PatternMatcher | undefined,
  texts: Iterable<string>,
  { from, to, around }: ShownPart,
): FoundLines {
  const found: FoundLines = { lines: 0, texts: 0, shown: [] };
  let number = -1;
  for (const text of texts) {
    number += 1;
    const starts = matcher.matches(text).map(({ start }) => start);
    if (plain) starts.push(...startsInPlainForm(plain, text));
    const matching = linesAt(
      text,
      starts.filter(start => start < text.length).sort((a, b) => a - b),
    );
    if (matching.size === 0) continue;
    const here = new Map(
      [...matching].slice(Math.max(0, from - found.lines), Math.max(0, to - found.lines)),
    );
    found.lines += matching.size;
    found.texts += 1;
    if (here.size > 0)
      found.shown.push({ text: number, lines: withNeighbours(splitLines(text), here, around) });
  }
  return found;
}

function startsInPlainForm(matcher: PatternMatcher, text: string): number[] {
  const form = plainForm(text);
  if (form.text === text) return [];
  return matcher
    .matches(form.text)
    .flatMap(({ start, end }) => form.original(start, end)?.start ?? []);
}

function withNeighbours(
  lines: readonly string[],
  found: ReadonlyMap<number, number>,
  around: number,
): ShownLine[] {
  const wanted = new Set(
    [...found.keys()].flatMap(line =>
      Array.from({ length: 2 * around + 1 }, (_, i) => line - around + i),
    ),
  );
  return [...wanted]
    .filter(line => line >= 1 && line <= lines.length)
    .sort((a, b) => a - b)
    .map(line => ({
      number: line,
      isMatch: found.has(line),
      content: clipAround(lines[line - 1] ?? '', found.get(line) ?? 0, MAX_LINE),
    }));
}
