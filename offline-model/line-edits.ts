/** Changed lines farther apart than this are edits of their own. */
const GAP = 6;

export interface Hunk {
  /** Lines `from` (0-based) to before `to` of the old text become `lines`. */
  from: number;
  to: number;
  lines: string[];
}

/** Where two texts of lines differ. Most edits keep the number of lines; the rest are one hunk. */
export function hunks(before: string[], after: string[]): Hunk[] {
  if (before.length !== after.length) {
    let start = 0;
    while (start < before.length && start < after.length && before[start] === after[start]) start++;
    let end = 0;
    while (
      end < Math.min(before.length, after.length) - start &&
      before.at(-1 - end) === after.at(-1 - end)
    )
      end++;
    return [
      { from: start, to: before.length - end, lines: after.slice(start, after.length - end) },
    ];
  }
  const found: Hunk[] = [];
  for (const [index, line] of after.entries()) {
    if (line === before[index]) continue;
    const last = found.at(-1);
    if (last && index - last.to < GAP) last.to = index + 1;
    else found.push({ from: index, to: index + 1, lines: [] });
  }
  return found.map(({ from, to }) => ({ from, to, lines: after.slice(from, to) }));
}

/** Widens a range of lines until its text occurs once in the file. */
export function unique(lines: string[], from: number, to: number): [number, number] {
  const text = lines.join('\n');
  let [start, end] = [from, to];
  if (start === end) return [start, end];
  const once = () => {
    const part = lines.slice(start, end).join('\n');
    return part !== '' && text.indexOf(part) === text.lastIndexOf(part);
  };
  while (!once() && (start > 0 || end < lines.length)) {
    if (end < lines.length) end++;
    if (start > 0) start--;
  }
  return [start, end];
}

/** Lines that go away altogether take a line end with them. */
export function smallestReplacement(
  lines: string[],
  from: number,
  to: number,
  fresh: string[],
): { old_str: string; new_str: string } {
  const old = lines.slice(from, to).join('\n');
  if (fresh.length > 0) return { old_str: old, new_str: fresh.join('\n') };
  return to < lines.length
    ? { old_str: `${old}\n${lines[to]}`, new_str: lines[to] ?? '' }
    : {
        old_str: `${from > 0 ? `${lines[from - 1]}\n` : ''}${old}`,
        new_str: from > 0 ? (lines[from - 1] ?? '') : '',
      };
}

/** The text with other texts in place of its parts, which are in order and do not overlap. */
export function spliced(
  text: string,
  parts: { start: number; end: number; text: string }[],
): string {
  let from = 0;
  const pieces = parts.map(part => {
    const piece = text.slice(from, part.start) + part.text;
    from = part.end;
    return piece;
  });
  return pieces.join('') + text.slice(from);
}

/** Offsets at which lines begin. */
export function lineStarts(lines: string[]): number[] {
  let next = 0;
  return lines.map(line => {
    const start = next;
    next += line.length + 1;
    return start;
  });
}

/** The 0-based line of an offset. */
export function lineAt(starts: number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
