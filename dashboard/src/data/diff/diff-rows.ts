export interface Side {
  number: number;
  text: string;
  /** Where the line differs from its counterpart: [from, to). */ mark?:
    [number, number] | undefined;
}

/** A row of a diff: a hunk's header, or the old line beside the new one. */
export type DiffRow =
  /** `old` and `now`: the number of its first line, before and after. */
  | { type: 'hunk'; text: string; old: number; now: number }
  | { type: 'same'; left: Side; right: Side }
  | { type: 'change'; left: Side | undefined; right: Side | undefined };

/** The lines of a unified diff, numbered, each removed line beside the one that replaced it. */
export function diffRows(lines: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let [oldNumber, newNumber] = [1, 1];
  let removed: Side[] = [];
  let added: Side[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1)
      rows.push(pair(removed[i], added[i], removed.length === added.length));
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('-')) removed.push({ number: oldNumber++, text });
    else if (line.startsWith('+')) added.push({ number: newNumber++, text });
    else {
      flush();
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
      if (hunk) {
        [oldNumber, newNumber] = [Number(hunk[1]), Number(hunk[2])];
        rows.push({ type: 'hunk', text: line, old: oldNumber, now: newNumber });
      } else if (line.startsWith(' ')) {
        rows.push({
          type: 'same',
          left: { number: oldNumber++, text },
          right: { number: newNumber++, text },
        });
      }
    }
  }
  flush();
  return rows;
}

/**
 * Marks what changed within a line, where as many lines came as went: else the pairs are chance.
 */
function pair(left: Side | undefined, right: Side | undefined, mark: boolean): DiffRow {
  if (!left || !right || !mark) return { type: 'change', left, right };
  let start = 0;
  while (start < left.text.length && left.text[start] === right.text[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(left.text.length, right.text.length) - start &&
    left.text.at(-1 - end) === right.text.at(-1 - end)
  )
    end += 1;
  if (start + end < 3) return { type: 'change', left, right }; // nothing in common
  return {
    type: 'change',
    left: { ...left, mark: [start, left.text.length - end] },
    right: { ...right, mark: [start, right.text.length - end] },
  };
}
