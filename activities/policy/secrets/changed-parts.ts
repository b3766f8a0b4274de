import { diffLines } from 'diff';

/** Characters on both sides of a change: more than keys are long, and rules look beside a value. */
const AROUND = 10_000;
/** Lines taken out or added. With more, the whole text is read: to find them would take as long. */
const MOST_CHANGES = 200;

/** A part of a text, and the 1-based line on which it begins. */
export interface Part {
  text: string;
  line: number;
}

/**
 * The parts of a text that can hold a secret which `before` lacks: what is new, and what is around
 * it. A value that stands elsewhere is the same in `before`.
 */
export function changedParts(text: string, before: string): Part[] {
  if (text.length <= 2 * AROUND) return [{ text, line: 1 }];
  const changes = diffLines(before, text, { maxEditLength: MOST_CHANGES });
  if (!changes) return [{ text, line: 1 }];
  const ranges: { start: number; end: number }[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const end = removed ? at : at + value.length;
    if (added || removed) {
      const last = ranges.at(-1);
      const start = Math.max(0, at - AROUND);
      if (last && last.end >= start) last.end = end + AROUND;
      else ranges.push({ start, end: end + AROUND });
    }
    at = end;
  }
  return ranges.map(({ start, end }) => ({
    text: text.slice(start, end),
    line: lineAt(text, start),
  }));
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
