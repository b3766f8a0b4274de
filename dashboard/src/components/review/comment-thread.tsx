import { type ReactNode, useState } from 'react';
import type { ReviewComment } from '../../../../api/dashboard/contract/review.ts';
import { useDraft } from '../../data/draft.ts';
import { Button } from '../controls/button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { RelativeTime } from '../text/format.tsx';
import { Markdown } from '../text/markdown.tsx';
import { CommentBox } from './comment-form.tsx';
import type { ReviewComments, Thread } from './review-comments.ts';

interface Props {
  thread: Thread;
  review: ReviewComments;
  mayWrite: boolean;
  /** It does not stand at its line. */
  withPlace?: boolean;
}

/** A comment, the replies to it, and what became of them. */
export function CommentThread({ thread, review, mayWrite, withPlace = false }: Props) {
  const { first, replies } = thread;
  const { file, line, quote } = first;
  const [reply, setReply] = useDraft(`reply ${first.id}`);
  const [isReplying, setReplying] = useState(reply !== '');
  const stop = () => {
    setReply('');
    setReplying(false);
  };
  return (
    <section className="comment-thread" aria-label={`Thread by ${first.author}`}>
      {withPlace && (
        <p className="small faint mono">{line === null ? file : `${file}, line ${line}`}</p>
      )}
      {quote !== '' && (withPlace || line === null) && (
        <blockquote className="small soft">{quote}</blockquote>
      )}
      {[first, ...replies].map(comment => (
        <Comment key={comment.id} {...{ comment, review, mayWrite }}>
          {comment === first && mayWrite && !isReplying && (
            <Act of={first} verb="Reply" to="to" onClick={() => setReplying(true)} />
          )}
        </Comment>
      ))}
      {isReplying && (
        <CommentBox
          label={`Reply to ${first.author}`}
          verb="Reply"
          text={reply}
          write={setReply}
          close={stop}
          send={async text => {
            await review.add({ file, line, quote, text, parentId: first.id });
            stop();
          }}
        />
      )}
    </section>
  );
}

function Comment({
  comment,
  review,
  mayWrite,
  children,
}: Pick<Props, 'review' | 'mayWrite'> & { comment: ReviewComment; children: ReactNode }) {
  const { id, author, text, state, createdAt, editedAt } = comment;
  const [edited, setEdited] = useState<string>();
  return (
    <article className="comment" aria-label={`Comment by ${author}`}>
      <div className="row-between">
        <p className="small faint">
          <strong>{author}</strong> <RelativeTime at={createdAt} />
          {editedAt && ' · edited'}{' '}
          {state !== 'open' && <Badge tone={state === 'sent' ? 'accent' : 'good'}>{state}</Badge>}
        </p>
        {mayWrite && (
          <span className="row">
            {children}
            <Actions {...{ comment, review }} edit={() => setEdited(text)} />
          </span>
        )}
      </div>
      {edited === undefined ? (
        <Markdown text={text} />
      ) : (
        <CommentBox
          label="Edit the comment"
          verb="Save"
          text={edited}
          write={setEdited}
          close={() => setEdited(undefined)}
          send={async next => {
            await review.edit(id, next);
            setEdited(undefined);
          }}
        />
      )}
    </article>
  );
}

function Actions({
  comment,
  review,
  edit,
}: {
  comment: ReviewComment;
  review: ReviewComments;
  edit: () => void;
}) {
  const { id, state, parentId, editable, deletable } = comment;
  const isResolved = state === 'resolved';
  return (
    <>
      {editable && <Act of={comment} verb="Edit" onClick={edit} />}
      {parentId === null && (
        <Act
          of={comment}
          verb={isResolved ? 'Reopen' : 'Resolve'}
          onClick={() => review.resolve(id, !isResolved)}
        />
      )}
      {deletable && <Act of={comment} verb="Delete" onClick={() => review.remove(id)} />}
    </>
  );
}

function Act({
  of: { text },
  verb,
  to = '',
  onClick,
}: {
  of: ReviewComment;
  verb: string;
  to?: string;
  onClick: () => void;
}) {
  const name = [verb, to, 'the comment:', text.slice(0, 60)].filter(Boolean).join(' ');
  return (
    <Button small look="quiet" onClick={onClick} aria-label={name}>
      {verb}
    </Button>
  );
}
