import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { plural } from '../text/format.tsx';
import { CommentCard } from './comment-card.tsx';
import type { ReviewComments } from './review-comments.ts';

/** All comments, and the button that turns the open ones into one follow-up. */
export function CommentList({ review, mayWrite }: { review: ReviewComments; mayWrite: boolean }) {
  const open = review.comments.filter(({ state }) => state === 'open');
  const settled = review.comments.filter(({ state }) => state !== 'open');
  if (review.comments.length === 0) return null;
  return (
    <section className="card card-pad section" aria-label="Comments">
      <div className="row-between">
        <h3>{open.length === 0 ? 'No open comments' : plural(open.length, 'open comment')}</h3>
        {mayWrite && open.length > 0 && (
          <Button look="primary" busy={review.isSending} onClick={review.send}>
            Send to the job
          </Button>
        )}
      </div>
      {review.error && <Notice tone="bad">{review.error.message}</Notice>}
      {review.wasSent && open.length === 0 && (
        <Notice tone="good">The comments were sent to the job as one follow-up.</Notice>
      )}
      <ul className="comment-list">
        {open.map(comment => (
          <li key={comment.id}>
            <CommentCard {...{ comment, review, mayWrite }} withPlace />
          </li>
        ))}
      </ul>
      {settled.length > 0 && (
        <details className="small">
          <summary>{plural(settled.length, 'comment')} sent or resolved</summary>
          <ul className="comment-list">
            {settled.map(comment => (
              <li key={comment.id}>
                <CommentCard {...{ comment, review, mayWrite }} withPlace />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
