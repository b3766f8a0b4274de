import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import type { ReviewVerdict } from '../../../../api/dashboard/contract/review.ts';
import { Button } from '../controls/button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Notice } from '../feedback/notice.tsx';
import { plural, RelativeTime } from '../text/format.tsx';
import { CommentThread } from './comment-thread.tsx';
import { type ReviewComments, type Thread, threadsOf } from './review-comments.ts';

/** What people decided, the buttons to decide, and the comments that stand at no file. */
export function Decision({
  review,
  files,
  mayWrite,
}: {
  review: ReviewComments;
  files: readonly FileDiff[];
  mayWrite: boolean;
}) {
  const open = review.comments.filter(({ state }) => state === 'open').length;
  const threads = threadsOf(review.comments);
  const resolved = threads.filter(({ first }) => first.state === 'resolved');
  const elsewhere = threads.filter(
    ({ first }) => first.state !== 'resolved' && !files.some(({ path }) => path === first.file),
  );
  if (!mayWrite && threads.length === 0 && review.verdicts.length === 0) return null;
  return (
    <section className="card card-pad section" aria-label="Comments">
      <div className="row-between">
        <h3>{open === 0 ? 'No open comments' : plural(open, 'open comment')}</h3>
        {mayWrite && (
          <span className="row">
            {open > 0 && (
              <Button look="primary" busy={review.isSending} onClick={review.send}>
                Request changes
              </Button>
            )}
            {review.approve && <Button onClick={review.approve}>Approve</Button>}
          </span>
        )}
      </div>
      {review.verdicts.map(verdict => (
        <Verdict key={verdict.author} verdict={verdict} />
      ))}
      {review.error && <Notice tone="bad">{review.error.message}</Notice>}
      {review.wasSent && open === 0 && (
        <Notice tone="good">The comments were sent to the job as one follow-up.</Notice>
      )}
      <Threads threads={elsewhere} {...{ review, mayWrite }} />
      {resolved.length > 0 && (
        <details className="small">
          <summary>{plural(resolved.length, 'resolved thread')}</summary>
          <Threads threads={resolved} {...{ review, mayWrite }} />
        </details>
      )}
    </section>
  );
}

function Threads({
  threads,
  ...rest
}: {
  threads: readonly Thread[];
  review: ReviewComments;
  mayWrite: boolean;
}) {
  return threads.map(thread => (
    <CommentThread key={thread.first.id} thread={thread} {...rest} withPlace />
  ));
}

function Verdict({ verdict: { author, verdict, isOld, createdAt } }: { verdict: ReviewVerdict }) {
  const isApproval = verdict === 'approved';
  return (
    <p className="small soft">
      <Badge tone={isOld ? 'plain' : isApproval ? 'good' : 'warn'}>
        {isApproval ? 'approved' : 'changes requested'}
      </Badge>{' '}
      {author}, <RelativeTime at={createdAt} />
      {isOld && ', before the newest changes'}
    </p>
  );
}
