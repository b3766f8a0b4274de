import { useEffect, useMemo, useState } from 'react';
import type { CodeToken } from '../../../../api/dashboard/contract/page-tree.ts';
import type { ShownRow } from '../../data/diff/diff-context.ts';
import { highlightSource } from '../../data/diff/highlight.ts';

/** The colours of lines by their number, before (`left`) and after (`right`). */
export interface Colours {
  left: ReadonlyMap<number, CodeToken[]>;
  right: ReadonlyMap<number, CodeToken[]>;
}
interface Piece {
  side: 'left' | 'right';
  numbers: number[];
  text: string;
}
const NONE: Colours = { left: new Map(), right: new Map() };

/** Colours each run of lines by itself: what is hidden between two is not known. */
export function useColours(path: string, rows: readonly ShownRow[]): Colours {
  const [colours, setColours] = useState(NONE);
  const pieces = useMemo(() => piecesOf(rows), [rows]);
  useEffect(() => {
    let isCurrent = true;
    void highlightSource(
      path,
      pieces.map(({ text }) => text),
    ).then(lines => {
      if (!isCurrent) return;
      const found = { left: new Map<number, CodeToken[]>(), right: new Map<number, CodeToken[]>() };
      pieces.forEach(({ side, numbers }, i) =>
        numbers.forEach((number, at) => found[side].set(number, lines[i]?.[at] ?? [])),
      );
      setColours(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [path, pieces]);
  return colours;
}

function piecesOf(rows: readonly ShownRow[]): Piece[] {
  const pieces: Piece[] = [];
  let run: ShownRow[] = [];
  const end = () => {
    for (const side of ['left', 'right'] as const) {
      const lines = run.flatMap(row => (row.type === 'gap' ? [] : (row[side] ?? [])));
      const text = lines.map(line => line.text).join('\n');
      if (lines.length > 0) pieces.push({ side, numbers: lines.map(line => line.number), text });
    }
    run = [];
  };
  for (const row of rows)
    if (row.type === 'gap') end();
    else run.push(row);
  end();
  return pieces;
}
