import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { Button } from '../controls/button.tsx';
import { Segments } from '../controls/segments.tsx';
import { Counts } from '../diff/counts.tsx';
import type { Layout } from '../diff/layout.ts';
import { plural } from '../text/format.tsx';
import type { ReviewView } from './review-file.tsx';

interface ChoicesProps {
  view: ReviewView;
  /** Undefined: there are only changes to see. */
  setView: ((view: ReviewView) => void) | undefined;
  layout: Layout;
  setLayout: (layout: Layout) => void;
  /** Whether any file is open. */
  areOpen: boolean;
  /** Opens or folds all. */
  setOpen: (isOpen: boolean) => void;
}

/** How much there is to review, how much is viewed, and how it is shown. */
export function ReviewBar({
  files,
  viewed,
  ...choices
}: ChoicesProps & { files: readonly FileDiff[]; viewed: number }) {
  const [additions, deletions] = files.reduce(
    ([plus, minus], file) => [plus + file.additions, minus + file.deletions],
    [0, 0],
  );
  return (
    <div className="row-between review-bar">
      <p className="soft">
        {plural(files.length, 'file')} changed{' '}
        <Counts additions={additions} deletions={deletions} />
        <span className="faint">
          {' '}
          · {viewed} of {files.length} viewed
        </span>
      </p>
      <Choices {...choices} />
    </div>
  );
}

function Choices({ view, setView, layout, setLayout, areOpen, setOpen }: ChoicesProps) {
  return (
    <div className="row">
      <Button small look="quiet" onClick={() => setOpen(!areOpen)}>
        {areOpen ? 'Collapse all' : 'Expand all'}
      </Button>
      {view === 'changes' && (
        <Segments
          label="Diff layout"
          value={layout}
          onChange={setLayout}
          options={[
            ['unified', 'Unified'],
            ['split', 'Side by side'],
          ]}
        />
      )}
      {setView && (
        <Segments
          label="Show"
          value={view}
          onChange={setView}
          options={[
            ['changes', 'Source'],
            ['page', 'Page'],
          ]}
        />
      )}
    </div>
  );
}
