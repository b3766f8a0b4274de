import { Fragment, type ReactNode } from 'react';
import type { Gap, ShownRow } from '../../data/diff/diff-context.ts';
import type { Side } from '../../data/diff/diff-rows.ts';
import { CodeCell, type Look } from './code-cell.tsx';
import type { Colours } from './use-colours.ts';

/** How rows are drawn. */
export interface Drawing {
  colours: Colours;
  /** Told the number and the text of a new line that a person chooses. */
  onLine?: ((line: number, text: string) => void) | undefined;
  /** What is shown below a new line. */
  notes: ReadonlyMap<number, ReactNode>;
  /** Draws the row of lines that are not shown. */
  gap(gap: Gap): ReactNode;
}

export const NO_NOTES: ReadonlyMap<number, ReactNode> = new Map();

export function splitRows(rows: readonly ShownRow[], drawing: Drawing): ReactNode[] {
  return rows.map(row => {
    if (row.type === 'gap') return gapRow(row, 4, drawing);
    const { left, right } = row;
    const is = (look: Look) => (row.type === 'same' ? 'same' : look);
    return (
      <Fragment key={`${left?.number} ${right?.number}`}>
        <tr>
          <Half side={left} look={is('removed')} of="left" {...{ drawing }} />
          <Half side={right} look={is('added')} of="right" {...{ drawing }} />
        </tr>
        {noteRow(right, 4, drawing)}
      </Fragment>
    );
  });
}

function Half({
  side,
  look,
  of,
  drawing,
}: {
  side: Side | undefined;
  look: Look;
  of: 'left' | 'right';
  drawing: Drawing;
}) {
  if (!side) return <td colSpan={2} className="blank" />;
  return (
    <>
      <td className={`line-number ${look}`}>
        {of === 'right' ? numberOf(side, drawing) : side.number}
      </td>
      <CodeCell side={side} look={look} tokens={drawing.colours[of].get(side.number)} />
    </>
  );
}

/** A hunk's removed lines come before the added ones. */
export function unifiedRows(rows: readonly ShownRow[], drawing: Drawing): ReactNode[] {
  const out: ReactNode[] = [];
  let added: ReactNode[] = [];
  for (const row of rows) {
    if (row.type === 'change') {
      if (row.left) out.push(removedLine(row.left, drawing));
      if (row.right) added.push(newLine('', row.right, 'added', drawing));
      continue;
    }
    out.push(...added);
    added = [];
    out.push(
      row.type === 'gap'
        ? gapRow(row, 3, drawing)
        : newLine(row.left.number, row.right, 'same', drawing),
    );
  }
  return [...out, ...added];
}

function removedLine(side: Side, { colours }: Drawing): ReactNode {
  return (
    <tr key={`removed${side.number}`}>
      <td className="line-number removed">{side.number}</td>
      <td className="line-number removed" />
      <CodeCell side={side} look="removed" tokens={colours.left.get(side.number)} />
    </tr>
  );
}

function newLine(old: number | '', side: Side, look: Look, drawing: Drawing): ReactNode {
  return (
    <Fragment key={`${look}${side.number}`}>
      <tr>
        <td className={`line-number ${look}`}>{old}</td>
        <td className={`line-number ${look}`}>{numberOf(side, drawing)}</td>
        <CodeCell side={side} look={look} tokens={drawing.colours.right.get(side.number)} />
      </tr>
      {noteRow(side, 3, drawing)}
    </Fragment>
  );
}

function gapRow(gap: Gap, columns: number, drawing: Drawing): ReactNode {
  return (
    <tr key={`gap${gap.at}`} className="hunk">
      <td colSpan={columns}>{drawing.gap(gap)}</td>
    </tr>
  );
}

function noteRow(side: Side | undefined, columns: number, { notes }: Drawing): ReactNode {
  const note = side && notes.get(side.number);
  return note ? (
    <tr className="diff-note">
      <td colSpan={columns}>{note}</td>
    </tr>
  ) : null;
}

/** The number of a new line; a button if people can comment. */
function numberOf({ number, text }: Side, { onLine }: Drawing): ReactNode {
  if (!onLine) return number;
  return (
    <button
      type="button"
      className="line-comment"
      aria-label={`Comment on line ${number}`}
      onClick={() => onLine(number, text)}
    >
      {number}
    </button>
  );
}
