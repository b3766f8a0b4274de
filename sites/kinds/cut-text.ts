import type { PlacedLine } from './site-kind.ts';
import type { CutLines } from './includes.ts';

/** Lines by their numbers, both of them shown: `3-5`, `3:`, `:5`. */
export function numbered(from: number | undefined, to: number | undefined): CutLines {
  return lines => lines.slice((from ?? 1) - 1, to);
}

/** The lines between a line with `start` and the next one with `end`; without one, from or to the end. */
export function between(start: RegExp | undefined, end: RegExp | undefined): CutLines {
  return lines => {
    const first = start ? lines.findIndex(({ text }) => start.test(text)) : -1;
    if (start && first < 0) return undefined;
    const rest = lines.slice(first + 1);
    const last = end ? rest.findIndex(({ text }) => end.test(text)) : -1;
    return last < 0 ? rest : rest.slice(0, last);
  };
}

/** Characters that a part may get by what it is given, which it may name very often. */
const MOST_FILLED = 1_000_000;

/** With values for what `pattern` matches, which its groups name; undefined: they are too long. */
export function filledIn(
  pattern: RegExp,
  valueOf: (names: readonly (string | undefined)[]) => string | undefined,
): CutLines {
  return lines => {
    let left = MOST_FILLED;
    const filled = lines.map(line => ({
      ...line,
      text: line.text.replace(pattern, (all: string, ...names: string[]) => {
        const value = valueOf(names) ?? all;
        return (left -= value.length) < 0 ? '' : value;
      }),
    }));
    return left < 0 ? undefined : filled;
  };
}

/** Without the lines that only mark where a part begins and ends. */
export function unmarked(cut: CutLines | undefined, mark: RegExp): CutLines {
  return lines =>
    (cut?.(lines) ?? (cut ? undefined : lines))?.filter(({ text }) => !mark.test(text));
}

/** Without the spaces that all lines begin with. */
export function dedented(lines: PlacedLine[] | undefined): PlacedLine[] | undefined {
  if (!lines) return undefined;
  const indents = lines.flatMap(({ text }) => (text.trim() === '' ? [] : text.search(/\S/)));
  const indent = Math.min(...indents);
  return indent > 0 && indents.length > 0
    ? lines.map(line => ({ ...line, text: line.text.slice(indent) }))
    : lines;
}

/** Which offsets of a text are in blocks of code; those in order are found at once. */
export function codeBlocks(text: string): (offset: number) => boolean {
  const blocks: { start: number; end: number }[] = [];
  let fence = '';
  let start = 0;
  for (const match of text.matchAll(/^[ \t>]*(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})(.*)$/gm)) {
    const [, marks = '', rest = ''] = match;
    if (fence === '') [fence, start] = [marks, match.index];
    else if (marks.startsWith(fence) && rest.trim() === '') {
      blocks.push({ start, end: match.index });
      fence = '';
    }
  }
  if (fence !== '') blocks.push({ start, end: text.length });
  let at = 0;
  return offset => {
    if (offset < (blocks[at - 1]?.end ?? 0)) at = 0;
    while ((blocks[at]?.end ?? Infinity) <= offset) at += 1;
    return offset > (blocks[at]?.start ?? Infinity);
  };
}

/** A name in a pattern. */
export function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
