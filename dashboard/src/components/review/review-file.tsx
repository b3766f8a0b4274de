import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { Button } from '../controls/button.tsx';
import { diffRows } from '../../data/diff/diff-rows.ts';
import { fileAnchor, FileHead } from '../diff/file-diff.tsx';
import { FileLines } from '../diff/file-lines.tsx';
import type { Layout } from '../diff/layout.ts';
import { Loading } from '../feedback/loaded.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentThread } from './comment-thread.tsx';
import { type ReviewComments, threadsOf } from './review-comments.ts';
import type { ReviewSource } from './review-source.ts';
import {
  type CommentDraft,
  type CommentPlace,
  quoteOf,
  useCommentDraft,
} from './use-comment-draft.ts';

/** A file as its source lines, or as the page that it becomes. */
export type ReviewView = 'changes' | 'page';

const IMAGE = /\.(?:png|jpe?g|gif|webp|avif)$/i;

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
            <FileBody {...{ file, draft }} {...shown} />
          </div>
        )}
      </details>
      <Marks
        {...{ file, isViewed, onViewed }}
        comment={
          shown.review && shown.mayWrite
            ? () => {
                draft.open(selectedPlace(body.current));
                setOpen(true);
              }
            : undefined
        }
      />
    </div>
  );
}

/** Beside the summary: nothing within one can be operated. */
function Marks({
  file: { path },
  isViewed,
  onViewed,
  comment,
}: Pick<Props, 'file' | 'isViewed' | 'onViewed'> & { comment: (() => void) | undefined }) {
  return (
    <span className="review-marks row nowrap">
      {comment && (
        <Button
          small
          look="quiet"
          className="review-comment"
          aria-label={`Comment on ${path} or the selected passage`}
          onClick={comment}
        >
          Comment
        </Button>
      )}
      <Button
        small
        look="quiet"
        aria-pressed={isViewed}
        aria-label={`Viewed: ${path}`}
        onClick={onViewed}
      >
        {isViewed ? '✓ Viewed' : 'Viewed'}
      </Button>
    </span>
  );
}

/** Where the selection is within a file: the line of its source, or a passage of its page. */
function selectedPlace(body: HTMLElement | null): CommentPlace {
  const selection = getSelection();
  const { focusNode = null } = selection ?? {};
  if (!focusNode || !body?.contains(focusNode) || selection?.isCollapsed)
    return { line: null, quote: '' };
  const row = focusNode.parentElement?.closest('tr');
  const line = Number(row?.querySelector('.line-comment')?.textContent);
  const code = row?.querySelector('td.code:last-of-type');
  const text = [...(code?.childNodes ?? [])].slice(1).map(each => each.textContent);
  return line > 0
    ? { line, quote: text.join('') }
    : { line: null, quote: selection?.toString().trim() ?? '' };
}

type BodyProps = Pick<Props, 'file' | 'view' | 'layout' | 'source' | 'review' | 'mayWrite'> & {
  draft: CommentDraft;
};

function FileBody({ file, view, layout, source, draft, ...comments }: BodyProps) {
  const isPage = view === 'page' && !file.binary && /\.(?:mdx?|markdown|mdoc)$/i.test(file.path);
  const { image, pages } = source;
  const notes = notesOf({ file, draft, ...comments });
  const text = useMemo(() => source.text?.(file), [source, file]);
  const mayComment = comments.review !== undefined && comments.mayWrite;
  if (isPage && pages)
    return (
      <Suspense fallback={<Loading lines={4} />}>
        <ChangedPage {...{ file, pages, notes }} />
      </Suspense>
    );
  const notesAt = (at: number | null) =>
    notes.flatMap(({ line, note }) => (line === at ? [note] : []));
  return (
    <>
      {notesAt(null)}
      {file.binary && image && IMAGE.test(file.path) ? (
        <ChangedImage file={file} image={image} />
      ) : (
        <FileLines
          {...{ file, layout }}
          notes={new Map(notes.map(({ line }) => [line ?? 0, notesAt(line)]))}
          {...(text && { text })}
          {...(mayComment && { onLine: (line, quote) => draft.open({ line, quote }) })}
        />
      )}
    </>
  );
}

function ChangedImage({
  file: { path, from, change },
  image,
}: {
  file: FileDiff;
  image: NonNullable<ReviewSource['image']>;
}) {
  const figure = (side: 'before' | 'after', file: string) => (
    <figure>
      <figcaption className="small soft">{side === 'before' ? 'Before' : 'After'}</figcaption>
      <img src={image(file, side)} alt={`${file} ${side}`} loading="lazy" />
    </figure>
  );
  return (
    <div className="image-pair">
      {change !== 'added' && figure('before', from ?? path)}
      {change !== 'deleted' && figure('after', path)}
    </div>
  );
}

/** A comment, or the one being written, and where it belongs; `line` null: not at a line. */
export interface FileNote {
  line: number | null;
  quote: string;
  note: ReactNode;
}

function notesOf({
  file,
  review,
  mayWrite,
  draft,
}: Pick<BodyProps, 'file' | 'review' | 'mayWrite' | 'draft'>): FileNote[] {
  const notes: FileNote[] = [];
  for (const thread of threadsOf(review?.comments ?? [])) {
    const { id, file: path, line, quote, state } = thread.first;
    if (path !== file.path || state === 'resolved' || !review) continue;
    // The job continued, and the line that it quotes is elsewhere or gone.
    const hasMoved = line !== null && isOther(file, line, quote);
    const note = <CommentThread key={id} {...{ thread, review, mayWrite }} withPlace={hasMoved} />;
    notes.push({ line: hasMoved ? null : line, quote, note });
  }
  if (review && mayWrite && draft.place)
    notes.push({
      ...draft.place,
      note: <CommentForm key="form" file={file.path} draft={draft} onAdd={review.add} />,
    });
  return notes;
}

/** Whether the diff shows another line there than a comment quotes. */
function isOther({ lines }: FileDiff, line: number, quote: string): boolean {
  if (quote === '') return false;
  const row = diffRows(lines).find(each => each.type !== 'hunk' && each.right?.number === line);
  return row !== undefined && row.type !== 'hunk' && quoteOf(row.right?.text ?? '') !== quote;
}
