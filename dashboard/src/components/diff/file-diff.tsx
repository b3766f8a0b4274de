import { useMemo } from 'react';
import type { FileDiff } from '../../../../shared/dashboard/jobs.ts';
import { diffRows } from '../../data/diff-rows.ts';
import { Badge } from '../feedback/badge.tsx';
import { Counts } from './counts.tsx';
import { type OnLine, splitRow, unifiedRows } from './diff-lines.tsx';

export type Layout = 'unified' | 'split';
export const WIDE = '(min-width: 64rem)';

/** The id of a file in the page's address. */
export function fileAnchor(path: string): string {
  return `file-${encodeURIComponent(path)}`;
}

export function File({ file, layout }: { file: FileDiff; layout: Layout }) {
  return (
    <details className="card diff-file" id={fileAnchor(file.path)} open>
      <summary className="row-between">
        <span className="row">
          <span className="mono path">
            {file.from && `${file.from} → `}
            {file.path}
          </span>
          {file.change !== 'changed' && <Badge>{file.change}</Badge>}
        </span>
        {!file.binary && (
          <span className="small nowrap">
            <Counts additions={file.additions} deletions={file.deletions} />
          </span>
        )}
      </summary>
      <FileLines file={file} layout={layout} />
    </details>
  );
}

/** The changed lines of a file; `onLine` gets the new line that a person chooses. */
export function FileLines({
  file,
  layout,
  onLine,
}: {
  file: FileDiff;
  layout: Layout;
  onLine?: OnLine;
}) {
  const rows = useMemo(() => diffRows(file.lines), [file.lines]);
  if (file.binary) return <p className="card-pad faint">Binary file</p>;
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
        <tbody>
          {layout === 'split'
            ? rows.map((row, i) => splitRow(row, i, onLine))
            : unifiedRows(rows, onLine)}
        </tbody>
      </table>
    </div>
  );
}
