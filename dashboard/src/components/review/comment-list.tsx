import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { plural } from '../text/format.tsx';
import { followUpOf, type ReviewComments } from './review-comments.ts';

/** The open comments, and the button that turns them into one follow-up. */
export function CommentList({
  review,
  projectId,
  jobId,
}: {
  review: ReviewComments;
  projectId: string;
  jobId: string;
}) {
  const send = useSend('POST /projects/:projectId/jobs/:id/message', () => review.clear());
  const { comments } = review;
  if (comments.length === 0)
    return send.isSuccess ? (
      <Notice tone="good">The comments were sent to the job as one follow-up.</Notice>
    ) : null;
  return (
    <section className="card card-pad section" aria-label="Comments">
      <div className="row-between">
        <h3>{plural(comments.length, 'open comment')}</h3>
        <Button
          look="primary"
          busy={send.isPending}
          onClick={() =>
            send.mutate({
              params: { projectId, id: jobId },
              body: { prompt: followUpOf(comments) },
            })
          }
        >
          Send to the job
        </Button>
      </div>
      {send.error && <Notice tone="bad">{send.error.message}</Notice>}
      <Comments {...review} />
      <p className="small faint">Comments stay in this browser until you send them.</p>
    </section>
  );
}

function Comments({ comments, remove }: ReviewComments) {
  return (
    <ul className="comment-list">
      {comments.map(({ id, file, line, quote, text }) => (
        <li key={id}>
          <p className="small faint mono">{line === null ? file : `${file}, line ${line}`}</p>
          {quote !== '' && <blockquote className="small soft">{quote}</blockquote>}
          <div className="row-between">
            <p className="pre-line">{text}</p>
            <Button small look="quiet" onClick={() => remove(id)}>
              Delete
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
