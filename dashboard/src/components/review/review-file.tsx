import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { FileDiff, PullRequestDetail } from '../../../../shared/dashboard/jobs.ts';
import { Button } from '../controls/button.tsx';
import { Counts } from '../diff/counts.tsx';
import { fileAnchor, FileLines, type Layout } from '../diff/file-diff.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Loading } from '../feedback/loaded.tsx';
import { CommentForm, type CommentPlace } from './comment-form.tsx';
import type { ReviewComments } from './review-comments.ts';

/** A file as its source lines, or as the page that it becomes. */
export type ReviewView = 'changes' | 'page';

const ChangedPage = lazy(async () => ({
  default: (await import('./changed-page.tsx')).ChangedPage,
}));

interface Props {
  file: FileDiff;
  view: ReviewView;
  layout: Layout;
  pull: PullRequestDetail;
  projectId: string;
  isFolded: boolean;
  isViewed: boolean;
  onViewed: () => void;
  /** Undefined: this person cannot comment. */
  review: ReviewComments | undefined;
}

/** A changed file: its lines or its page, a mark, and a way to comment. */
export function ReviewFile({ file, isFolded, isViewed, onViewed, review, ...shown }: Props) {
  const [isOpen, setOpen] = useState(!isFolded);
  const [place, setPlace] = useState<CommentPlace>();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isViewed) setOpen(false);
  }, [isViewed]);
  const commentOnPassage = () => {
    const selection = getSelection();
    const isHere = selection?.anchorNode && body.current?.contains(selection.anchorNode);
    setPlace({ line: null, quote: isHere ? selection.toString().trim().slice(0, 500) : '' });
  };
  return (
    <div className="review-file">
      <details
        className="card diff-file"
        id={fileAnchor(file.path)}
        open={isOpen}
        onToggle={event => setOpen(event.currentTarget.open)}
      >
        <FileHead file={file} />
        {isOpen && (
          <div ref={body}>
            {review && (
              <div className="review-file-tools">
                <Button small look="quiet" onClick={commentOnPassage}>
                  Comment on the selected passage
                </Button>
              </div>
            )}
            {review && place && (
              <CommentForm
                place={place}
                onCancel={() => setPlace(undefined)}
                onAdd={text => {
                  review.add({ file: file.path, ...place, text });
                  setPlace(undefined);
                }}
              />
            )}
            <FileBody file={file} {...shown} {...(review && { onLine: setPlace })} />
          </div>
        )}
      </details>
      <ViewedMark path={file.path} isViewed={isViewed} onViewed={onViewed} />
    </div>
  );
}

/** Beside the summary: nothing within one can be operated. */
function ViewedMark({
  path,
  isViewed,
  onViewed,
}: {
  path: string;
  isViewed: boolean;
  onViewed: () => void;
}) {
  return (
    <Button
      small
      look="quiet"
      className="review-viewed"
      aria-pressed={isViewed}
      aria-label={`Viewed: ${path}`}
      onClick={onViewed}
    >
      {isViewed ? '✓ Viewed' : 'Viewed'}
    </Button>
  );
}

function FileHead({ file }: { file: FileDiff }) {
  return (
    <summary className="row-between">
      <span className="row">
        <span className="mono path">
          {file.from && `${file.from} → `}
          {file.path}
        </span>
        {file.change !== 'changed' && <Badge>{file.change}</Badge>}
      </span>
      <span className="row nowrap small">
        {!file.binary && <Counts additions={file.additions} deletions={file.deletions} />}
      </span>
    </summary>
  );
}

function FileBody({
  file,
  view,
  layout,
  pull,
  projectId,
  onLine,
}: Pick<Props, 'file' | 'view' | 'layout' | 'pull' | 'projectId'> & {
  onLine?: (place: CommentPlace) => void;
}) {
  if (view === 'page' && !file.binary && /\.(?:mdx?|markdown|mdoc)$/i.test(file.path))
    return (
      <Suspense fallback={<Loading lines={4} />}>
        <ChangedPage file={file} pull={pull} projectId={projectId} />
      </Suspense>
    );
  return (
    <FileLines
      file={file}
      layout={layout}
      {...(onLine && { onLine: (line, quote) => onLine({ line, quote }) })}
    />
  );
}
