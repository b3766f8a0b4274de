import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { FileDiff, FileText } from '../../../../api/dashboard/contract/jobs.ts';
import { type Gap, withContext } from '../../data/diff/diff-context.ts';
import { diffRows } from '../../data/diff/diff-rows.ts';
import type { Query } from '../../data/query.ts';
import { plural } from '../text/format.tsx';
import { NO_NOTES, splitRows, unifiedRows } from './diff-lines.tsx';
import type { Layout } from './layout.ts';
import { useColours } from './use-colours.ts';

/** How many hidden lines a click shows. */
const AT_ONCE = 50;

/**
 * The changed lines of a file, in their colours. `onLine` gets the new line that a person chooses;
 * `notes` stand below new lines; `text` reads the file as it becomes, for the lines between.
 */
export function FileLines({
  file,
  layout,
  onLine,
  notes = NO_NOTES,
  text,
}: {
  file: FileDiff;
  layout: Layout;
  onLine?: (line: number, text: string) => void;
  notes?: ReadonlyMap<number, ReactNode>;
  text?: Query<FileText>;
}) {
  const { rows, gap } = useRows(file, text);
  const colours = useColours(file.path, rows);
  if (file.binary) return <p className="card-pad faint">Binary file</p>;
  const drawing = { colours, onLine, notes, gap };
  return (
    <div className="diff-scroll" tabIndex={0} role="region" aria-label={`Changes in ${file.path}`}>
      <table className={`diff diff-${layout}`}>
        {layout === 'split' && (
          <colgroup>
            <col className="narrow" />
            <col />
            <col className="narrow" />
            <col />
          </colgroup>
        )}
        <tbody>{layout === 'split' ? splitRows(rows, drawing) : unifiedRows(rows, drawing)}</tbody>
      </table>
    </div>
  );
}

/** The rows of a file, and what stands for the lines that are hidden. */
function useRows(file: FileDiff, text: Query<FileText> | undefined) {
  const [opened, setOpened] = useState<ReadonlyMap<number, number>>(new Map());
  const read = useQuery({
    queryKey: [],
    queryFn: () => Promise.reject(new Error('no text')),
    ...text,
    enabled: text !== undefined && opened.size > 0,
    staleTime: Infinity,
  });
  const changed = useMemo(() => diffRows(file.lines), [file.lines]);
  const rows = useMemo(
    () =>
      withContext(changed, read.data?.lines, opened).filter(
        // Without the file, nothing can be said of what follows the last hunk.
        row => row.type !== 'gap' || row.text !== '' || (text && isKept(file)),
      ),
    [changed, read.data, opened, text, file],
  );
  const open = ({ at }: Gap) =>
    setOpened(before => new Map(before).set(at, (before.get(at) ?? 0) + AT_ONCE));
  const gap = (one: Gap): ReactNode => (
    <>
      {text && !(opened.has(one.at) && read.isPending) && (
        <button type="button" className="show-lines" onClick={() => open(one)}>
          {labelOf(one.hidden)}
        </button>
      )}
      {read.isError && opened.has(one.at) && <span role="alert">{read.error.message} </span>}
      {one.text}
    </>
  );
  return { rows, gap };
}

/** Whether there is a file before and after: only then are there lines that stayed. */
function isKept({ change }: FileDiff): boolean {
  return change === 'changed' || change === 'moved';
}

function labelOf(hidden: number | null): string {
  if (hidden === null) return 'Show the lines below';
  if (hidden <= AT_ONCE) return `Show ${plural(hidden, 'line')}`;
  return `Show ${AT_ONCE} of ${plural(hidden, 'line')}`;
}
