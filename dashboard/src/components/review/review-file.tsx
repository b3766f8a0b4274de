import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { Button } from '../controls/button.tsx';
import { diffRows } from '../../data/diff/diff-rows.ts';
import { fileAnchor, FileHead } from '../diff/file-diff.tsx';
import { FileLines } from '../diff/file-lines.tsx';
import type { Layout } from '../diff/layout.ts';
import { Loading } from '../feedback/loaded.tsx';
import { CommentCard } from './comment-card.tsx';
import { CommentForm } from './comment-form.tsx';
import type { ReviewComments } from './review-comments.ts';
import type { ReviewSource } from './review-source.ts';
import { type CommentDraft, quoteOf, useCommentDraft } from './use-comment-draft.ts';

/** A file as its source lines, or as the page that it becomes. */
export type ReviewView = 'changes' | 'page';

const ChangedPage = lazy(async () => ({
  default: (await import('./changed-page.tsx')).ChangedPage,
}));

interface Props {
  file: FileDiff;
  view: ReviewView;
  layout: Layout;
  source: ReviewSource;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  isViewed: boolean;
  onViewed: () => void;
  /** Undefined: there is no job to comment on. */
  review: ReviewComments | undefined;
  mayWrite: boolean;
}

/** A changed file: its lines or its page, a mark, and the comments on it. */
export function ReviewFile({ file, isOpen, setOpen, isViewed, onViewed, ...shown }: Props) {
  const draft = useCommentDraft(shown.source.name, file.path);
  const body = useRef<HTMLDivElement>(null);
  const isWritten = useRef(draft.place !== undefined);
  useEffect(() => {
    // A comment that was begun is in sight.
    if (isWritten.current) setOpen(true);
    isWritten.current = false;
  }, [setOpen]);
  const commentOnPassage = () => {
    const selection = getSelection();
    const isHere = selection?.anchorNode && body.current?.contains(selection.anchorNode);
    draft.open({ line: null, quote: isHere ? selection.toString().trim() : '' });
  };
  return (
    <div className="review-file">
      <details
        className="card diff-file"
        id={fileAnchor(file.path)}
        open={isOpen}
        onToggle={event => {
          if (event.currentTarget.open !== isOpen) setOpen(event.currentTarget.open);
        }}
      >
        <FileHead file={file} isFolded={!isOpen} />
        {isOpen && (
          <div ref={body}>
            {shown.review && shown.mayWrite && (
              <div className="review-file-tools">
                <Button small look="quiet" onClick={commentOnPassage}>
                  Comment on the selected passage
                </Button>
              </div>
            )}
            <FileBody {...{ file, draft }} {...shown} />
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

type BodyProps = Pick<Props, 'file' | 'view' | 'layout' | 'source' | 'review' | 'mayWrite'> & {
  draft: CommentDraft;
};

function FileBody({ file, view, layout, source, draft, ...comments }: BodyProps) {
  const isPage = view === 'page' && !file.binary && /\.(?:mdx?|markdown|mdoc)$/i.test(file.path);
  const { above, notes } = notesOf({ file, draft, isPage, ...comments });
  const text = useMemo(() => source.text?.(file), [source, file]);
  const mayComment = comments.review !== undefined && comments.mayWrite;
  return (
    <>
      {above}
      {isPage ? (
        <Suspense fallback={<Loading lines={4} />}>
          <ChangedPage file={file} source={source} />
        </Suspense>
      ) : (
        <FileLines
          {...{ file, layout, notes }}
          {...(text && { text })}
          {...(mayComment && { onLine: (line, quote) => draft.open({ line, quote }) })}
        />
      )}
    </>
  );
}

/** The comments of a file and the one being written: at their lines, or `above` all of them. */
function notesOf({
  file,
  review,
  mayWrite,
  draft,
  isPage,
}: Pick<BodyProps, 'file' | 'review' | 'mayWrite' | 'draft'> & { isPage: boolean }) {
  const above: ReactNode[] = [];
  const notes = new Map<number, ReactNode>();
  const add = (line: number | null, note: ReactNode) => {
    if (line === null || isPage) above.push(note);
    else
      notes.set(
        line,
        <>
          {notes.get(line)}
          {note}
        </>,
      );
  };
  for (const comment of review?.comments ?? []) {
    if (comment.file !== file.path || comment.state === 'resolved' || !review) continue;
    // The job continued, and the line that it quotes is elsewhere or gone.
    const hasMoved = comment.line !== null && isOther(file, comment.line, comment.quote);
    add(
      hasMoved ? null : comment.line,
      <CommentCard key={comment.id} {...{ comment, review, mayWrite }} withPlace={hasMoved} />,
    );
  }
  if (review && mayWrite && draft.place)
    add(
      draft.place.line,
      <CommentForm key="form" file={file.path} draft={draft} onAdd={review.add} />,
    );
  return { above, notes };
}

/** Whether the diff shows another line there than a comment quotes. */
function isOther({ lines }: FileDiff, line: number, quote: string): boolean {
  if (quote === '') return false;
  const row = diffRows(lines).find(each => each.type !== 'hunk' && each.right?.number === line);
  return row !== undefined && row.type !== 'hunk' && quoteOf(row.right?.text ?? '') !== quote;
}
