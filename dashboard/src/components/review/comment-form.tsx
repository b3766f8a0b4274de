import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import type { NewReviewComment } from '../../../../api/dashboard/contract/review.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { isSendKey } from '../forms/text-box.tsx';
import type { CommentDraft } from './use-comment-draft.ts';

/** Writes a comment on a line or on a passage. What is typed stays until the server has it. */
export function CommentForm({
  file,
  draft: { place, text, write, close, added },
  onAdd,
}: {
  file: string;
  draft: CommentDraft;
  onAdd: (comment: NewReviewComment) => Promise<unknown>;
}) {
  const { line = null, quote = '' } = place ?? {};
  return (
    <CommentBox
      key={`${line} ${quote}`}
      label={line === null ? 'Comment' : `Comment on line ${line}`}
      verb="Add comment"
      {...{ quote, text, write, close }}
      send={async sent => {
        const comment = { file, line, quote, text: sent };
        await onAdd(comment);
        added(comment);
      }}
    />
  );
}

interface BoxProps {
  label: string;
  verb: string;
  quote?: string;
  text: string;
  write: (text: string) => void;
  close: () => void;
  send: (text: string) => Promise<unknown>;
}

/** A text in Markdown, for a new comment, a reply or a change. */
export function CommentBox({ label, verb, quote = '', text, write, close, send }: BoxProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const sending = useMutation({ mutationFn: send });
  return (
    <form
      className="comment-form"
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() !== '' && !sending.isPending) sending.mutate(text.trim());
      }}
    >
      <label htmlFor={id} className="small">
        {label}
      </label>
      {quote !== '' && <blockquote className="small soft">{quote}</blockquote>}
      <textarea
        ref={box}
        id={id}
        className="input"
        rows={3}
        maxLength={4_000}
        value={text}
        onChange={event => write(event.target.value)}
        onKeyDown={event => {
          // Escape takes nothing away that was typed.
          if (event.key === 'Escape' && text.trim() === '') close();
          if (isSendKey(event)) event.currentTarget.form?.requestSubmit();
        }}
      />
      {sending.error && <Notice tone="bad">{sending.error.message}</Notice>}
      <div className="row">
        <Button small look="primary" type="submit" busy={sending.isPending}>
          {verb}
        </Button>
        <Button small look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
