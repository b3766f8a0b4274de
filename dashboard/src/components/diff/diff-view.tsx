import { useState } from 'react';
import type { Diff } from '../../../../api/dashboard/contract/jobs.ts';
import { useHashTarget } from '../../data/hash-target.ts';
import { Segments } from '../controls/segments.tsx';
import { Empty } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';
import { plural } from '../text/format.tsx';
import { Counts } from './counts.tsx';
import { File } from './file-diff.tsx';
import { type Layout, WIDE } from './layout.ts';

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
