import { useMemo, useState } from 'react';
import type { Diff, FileDiff } from '../../../../shared/dashboard/jobs.ts';
import { type DiffRow, diffRows, type Side } from '../../data/diff-rows.ts';
import { useHashTarget } from '../../data/hash-target.ts';
import { Segments } from '../controls/segments.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Empty } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';
import { plural } from '../text/format.tsx';
import { Counts } from './counts.tsx';

type Layout = 'unified' | 'split';
const WIDE = '(min-width: 64rem)';

/** What changed, in one column or side by side. */
export function DiffView({ diff }: { diff: Diff }) {
  const [layout, setLayout] = useState<Layout>(() =>
    matchMedia(WIDE).matches ? 'split' : 'unified',
  );
  useHashTarget(diff.files.length);
  if (diff.files.length === 0)
    return (
      <div className="card">
        <Empty icon="jobs" title="No changes" />
      </div>
    );
  const [additions, deletions] = diff.files.reduce(
    ([plus, minus], file) => [plus + file.additions, minus + file.deletions],
    [0, 0],
  );
  return (
    <div className="stack">
      <div className="row-between">
        <p className="soft">
          {plural(diff.files.length, 'file')} changed{' '}
          <Counts additions={additions} deletions={deletions} />
        </p>
        <Segments
          label="Diff layout"
          value={layout}
          onChange={setLayout}
          options={[
            ['unified', 'Unified'],
            ['split', 'Side by side'],
          ]}
        />
      </div>
      {diff.files.map(file => (
        <File key={file.path} file={file} layout={layout} />
      ))}
      {!diff.complete && (
        <Notice tone="plain">
          The rest of the diff is too long to show here. The branch has all changes.
        </Notice>
      )}
    </div>
  );
}

/** The id of a file in the page's address. */
export function fileAnchor(path: string): string {
  return `file-${encodeURIComponent(path)}`;
}

function File({ file, layout }: { file: FileDiff; layout: Layout }) {
  const rows = useMemo(() => diffRows(file.lines), [file.lines]);
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
      {file.binary ? (
        <p className="card-pad faint">Binary file</p>
      ) : (
        <div
          className="diff-scroll"
          tabIndex={0}
          role="region"
          aria-label={`Changes in ${file.path}`}
        >
          <table className={`diff diff-${layout}`}>
            {layout === 'split' && (
              <colgroup>
                <col className="narrow" />
                <col />
                <col className="narrow" />
                <col />
              </colgroup>
            )}
            <tbody>{layout === 'split' ? rows.map(splitRow) : unifiedRows(rows)}</tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function splitRow(row: DiffRow, key: number) {
  if (row.type === 'hunk')
    return (
      <tr key={key} className="hunk">
        <td colSpan={4}>{row.text}</td>
      </tr>
    );
  return (
    <tr key={key}>
      <Half side={row.left} look={row.type === 'same' ? 'same' : 'removed'} />
      <Half side={row.right} look={row.type === 'same' ? 'same' : 'added'} />
    </tr>
  );
}

function Half({ side, look }: { side: Side | undefined; look: 'same' | 'removed' | 'added' }) {
  if (!side) return <td colSpan={2} className="blank" />;
  return (
    <>
      <td className={`line-number ${look}`}>{side.number}</td>
      <Code side={side} look={look} />
    </>
  );
}

/** A hunk's removed lines come before the added ones. */
export function unifiedRows(rows: readonly DiffRow[]) {
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
      <td className={`line-number ${look}`}>{right}</td>
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
