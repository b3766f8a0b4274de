import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { NewReviewComment } from '../../../../api/dashboard/contract/review.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
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
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const { line = null, quote = '' } = place ?? {};
  useEffect(() => box.current?.focus(), [line, quote]);
  const add = useMutation({ mutationFn: onAdd, onSuccess: (_, comment) => added(comment) });
  return (
    <form
      className="comment-form"
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() !== '') add.mutate({ file, line, quote, text: text.trim() });
      }}
    >
      <label htmlFor={id} className="small">
        {line === null ? 'Comment' : `Comment on line ${line}`}
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
        onKeyDown={event => onKey(event, text.trim() === '' ? close : undefined)}
      />
      {add.error && <Notice tone="bad">{add.error.message}</Notice>}
      <div className="row">
        <Button small look="primary" type="submit" busy={add.isPending}>
          Add comment
        </Button>
        <Button small look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Escape takes nothing away that was typed. */
function onKey(
  { key, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>,
  close: (() => void) | undefined,
): void {
  if (key === 'Escape') close?.();
  if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
}
