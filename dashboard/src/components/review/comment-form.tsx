import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';

export interface CommentPlace {
  line: number | null;
  quote: string;
}

/** Writes a comment on a line or on a passage. */
export function CommentForm({
  place: { line, quote },
  onAdd,
  onCancel,
}: {
  place: CommentPlace;
  onAdd: (text: string) => void;
  onCancel: () => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), [line, quote]);
  return (
    <form
      className="comment-form"
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() !== '') onAdd(text.trim());
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
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape') onCancel();
        }}
      />
      <div className="row">
        <Button small look="primary" type="submit">
          Add comment
        </Button>
        <Button small look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
