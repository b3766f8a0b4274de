import type { ReviewComment } from '../../../../api/dashboard/contract/review.ts';
import { Button } from '../controls/button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { RelativeTime } from '../text/format.tsx';
import { Markdown } from '../text/markdown.tsx';
import type { ReviewComments } from './review-comments.ts';

/** What a person wrote, where, and what became of it. `withPlace`: it does not stand at its line. */
export function CommentCard({
  comment,
  review,
  mayWrite,
  withPlace = false,
}: {
  comment: ReviewComment;
  review: ReviewComments;
  mayWrite: boolean;
  withPlace?: boolean;
}) {
  const { author, file, line, quote, text, state, createdAt } = comment;
  return (
    <article className="comment" aria-label={`Comment by ${author}`}>
      <p className="small faint">
        <strong>{author}</strong> <RelativeTime at={createdAt} />{' '}
        {state !== 'open' && <Badge tone={state === 'sent' ? 'accent' : 'good'}>{state}</Badge>}
      </p>
      {withPlace && (
        <p className="small faint mono">{line === null ? file : `${file}, line ${line}`}</p>
      )}
      {quote !== '' && (withPlace || line === null) && (
        <blockquote className="small soft">{quote}</blockquote>
      )}
      <div className="row-between">
        <Markdown text={text} />
        {mayWrite && <Actions {...{ comment, review }} />}
      </div>
    </article>
  );
}

function Actions({
  comment: { id, text, state, deletable },
  review,
}: {
  comment: ReviewComment;
  review: ReviewComments;
}) {
  const verb = state === 'resolved' ? 'Reopen' : 'Resolve';
  const name = `the comment: ${text.slice(0, 60)}`;
  return (
    <span className="row nowrap">
      <Button
        small
        look="quiet"
        onClick={() => review.resolve(id, state !== 'resolved')}
        aria-label={`${verb} ${name}`}
      >
        {verb}
      </Button>
      {deletable && (
        <Button small look="quiet" onClick={() => review.remove(id)} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      )}
    </span>
  );
}
