import type { DiffRow } from './diff-rows.ts';

/**
 * Unchanged lines that are not shown: before hunk `at`, or after the last one. `hidden` null: how
 * many is not known before the file is read.
 */
export interface Gap {
  type: 'gap';
  at: number;
  hidden: number | null;
  /** Of the hunk that follows: what git says about it. */
  text: string;
}
export type ShownRow = Exclude<DiffRow, { type: 'hunk' }> | Gap;

/**
 * Rows with the unchanged lines that a person has opened. `lines`: the file as it becomes, once it
 * is read. `opened`: by gap, how many lines of it are shown.
 */
export function withContext(
  rows: readonly DiffRow[],
  lines: readonly string[] | undefined,
  opened: ReadonlyMap<number, number>,
): ShownRow[] {
  const shown: ShownRow[] = [];
  let [old, now, at] = [1, 1, 0];
  const unchanged = (count: number, from: number, shift: number) => {
    for (let number = from; number < from + count; number += 1) {
      const text = lines?.[number - 1] ?? '';
      const left = { number: number + shift, text };
      shown.push({ type: 'same', left, right: { number, text } });
    }
  };
  for (const row of rows) {
    if (row.type !== 'hunk') {
      shown.push(row);
      if (row.left) old = row.left.number + 1;
      if (row.right) now = row.right.number + 1;
      continue;
    }
    const hidden = row.now - now;
    const open = lines ? Math.min(opened.get(at) ?? 0, hidden) : 0;
    if (hidden > open) shown.push({ type: 'gap', at, hidden: hidden - open, text: row.text });
    unchanged(open, row.now - open, row.old - row.now);
    at += 1;
    [old, now] = [row.old, row.now];
  }
  const rest = lines ? Math.max(0, lines.length - now + 1) : null;
  const open = Math.min(opened.get(at) ?? 0, rest ?? 0);
  unchanged(open, now, old - now);
  if (rest === null || rest > open)
    shown.push({ type: 'gap', at, hidden: rest === null ? null : rest - open, text: '' });
  return shown;
}
