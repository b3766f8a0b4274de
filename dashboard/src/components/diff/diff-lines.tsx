import type { DiffRow, Side } from '../../data/diff-rows.ts';

/** Told the number and the text of a line. */
export type OnLine = (line: number, text: string) => void;

export function splitRow(row: DiffRow, key: number, onLine?: OnLine) {
  if (row.type === 'hunk')
    return (
      <tr key={key} className="hunk">
        <td colSpan={4}>{row.text}</td>
      </tr>
    );
  return (
    <tr key={key}>
      <Half side={row.left} look={row.type === 'same' ? 'same' : 'removed'} />
      <Half
        side={row.right}
        look={row.type === 'same' ? 'same' : 'added'}
        {...(onLine && { onLine })}
      />
    </tr>
  );
}

function Half({
  side,
  look,
  onLine,
}: {
  side: Side | undefined;
  look: 'same' | 'removed' | 'added';
  onLine?: OnLine;
}) {
  if (!side) return <td colSpan={2} className="blank" />;
  return (
    <>
      <td className={`line-number ${look}`}>{numberOf(side, onLine)}</td>
      <Code side={side} look={look} />
    </>
  );
}

/** A hunk's removed lines come before the added ones. */
export function unifiedRows(rows: readonly DiffRow[], onLine?: OnLine) {
  const out: React.ReactNode[] = [];
  let added: React.ReactNode[] = [];
  const line = (
    left: number | string,
    right: number | string,
    side: Side,
    look: 'same' | 'removed' | 'added',
  ) => (
    <tr key={`${look}${side.number}`}>
      <td className={`line-number ${look}`}>{left}</td>
      <td className={`line-number ${look}`}>{right === '' ? '' : numberOf(side, onLine)}</td>
      <Code side={side} look={look} />
    </tr>
  );
  for (const row of rows) {
    if (row.type === 'change') {
      if (row.left) out.push(line(row.left.number, '', row.left, 'removed'));
      if (row.right) added.push(line('', row.right.number, row.right, 'added'));
      continue;
    }
    out.push(...added);
    added = [];
    out.push(
      row.type === 'hunk' ? (
        <tr key={row.text} className="hunk">
          <td colSpan={3}>{row.text}</td>
        </tr>
      ) : (
        line(row.left.number, row.right.number, row.right, 'same')
      ),
    );
  }
  return [...out, ...added];
}

/** The number of a new line; a button if people can comment. */
function numberOf({ number, text }: Side, onLine: OnLine | undefined) {
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

const SIGN = { same: ' ', removed: '−', added: '+' } as const;

function Code({ side: { text, mark }, look }: { side: Side; look: 'same' | 'removed' | 'added' }) {
  return (
    <td className={`code ${look}`}>
      <span className="sign" aria-hidden={look === 'same'}>
        {SIGN[look]}
      </span>
      {mark ? (
        <>
          {text.slice(0, mark[0])}
          <mark>{text.slice(...mark)}</mark>
          {text.slice(mark[1])}
        </>
      ) : (
        text
      )}
    </td>
  );
}
