import type { PageOutline } from '../outline/page-outline.ts';

/** A line of a page, with the place where it is written: in its own file, or in one it includes. */
export interface PlacedLine {
  text: string;
  file: string;
  /** 1-based. */
  line: number;
}

/**
 * The lines of a text. Where `pattern` (with the flags `g` and `m`) matches whole lines, those that
 * `include` gives stand instead.
 */
export function includedLines(
  file: string,
  text: string,
  pattern: RegExp,
  include: (match: RegExpExecArray) => PlacedLine[] | undefined,
): PlacedLine[] {
  const own = text.split('\n').map((line, index) => ({ text: line, file, line: index + 1 }));
  const lines: PlacedLine[] = [];
  let next = 0;
  let counted = 0;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    at += text.slice(counted, match.index).split('\n').length - 1;
    counted = match.index;
    const inner = include(match);
    if (!inner) continue;
    for (const line of own.slice(next, at)) lines.push(line);
    for (const line of inner) lines.push(line);
    next = at + match[0].split('\n').length;
  }
  return next === 0 ? own : [...lines, ...own.slice(next)];
}

/** The outline of joined lines, with each link at the place where it is written. */
export function withPlaces(outline: PageOutline, lines: readonly PlacedLine[]): PageOutline {
  if (lines.every(({ file }) => file === outline.file)) return outline;
  const links = outline.links.map(link => {
    const { file, line } = lines[link.line - 1] ?? { file: outline.file, line: link.line };
    return file === outline.file ? { ...link, line } : { ...link, file, line };
  });
  return { ...outline, links };
}

/** A function of a file that is worked out once for each. */
export function onceForEach<T>(find: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>();
  return file => {
    const found = known.get(file);
    if (found !== undefined || known.has(file)) return found as T;
    const made = find(file);
    known.set(file, made);
    return made;
  };
}
