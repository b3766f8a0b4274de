import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { useDraft } from '../../data/draft.ts';
import { FormValues } from '../../data/form-values.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { AttachButton, AttachedImages } from './attached-images.tsx';
import { useAttachedImages } from './use-attached-images.ts';

interface Props {
  label: string;
  placeholder: string;
  submit: string;
  busy: boolean;
  error: Error | null;
  /** Resolves once the text is sent. If it rejects, the text stays in the box. */
  onSubmit: (text: string, values: FormValues, uploads: string[]) => Promise<unknown>;
  /** Whose text it is: it is kept under this name until it is sent. */
  draft: string;
  hint?: ReactNode;
  rows?: number;
  /** Where images go that a person attaches; without it there are none. */
  imagesOf?: { projectId: string };
  /** More fields, beside the button. */
  children?: ReactNode;
}

/** A text to send with the button or Ctrl + Enter. */
export function TextBox({ label, placeholder, submit, busy, error, ...props }: Props) {
  const { onSubmit, hint, children, rows = 3, draft, imagesOf } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useDraft(draft);
  const images = useAttachedImages(imagesOf?.projectId);
  const maySend = text.trim() !== '' && !images.isBusy;
  const send = () => {
    if (busy || !form.current || !maySend) return;
    onSubmit(text.trim(), new FormValues(new FormData(form.current)), images.ids).then(
      () => {
        setText('');
        images.clear();
      },
      () => undefined,
    );
  };
  return (
    <form ref={form} className="composer" onSubmit={preventDefault(send)} {...images.dropTarget}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <textarea
        id={id}
        name="prompt"
        rows={rows}
        placeholder={placeholder}
        value={text}
        maxLength={100_000}
        onChange={event => setText(event.target.value)}
        onPaste={images.onPaste}
        onKeyDown={event => {
          if (isSendKey(event)) preventDefault(send)(event);
        }}
      />
      <AttachedImages images={images} />
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div className="row-between composer-foot">
        <div className="row">
          {imagesOf && <AttachButton images={images} />}
          {children}
          {hint && <span className="small faint">{hint}</span>}
        </div>
        <Button type="submit" look="primary" busy={busy} disabled={!maySend}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** A language that is composed uses Enter itself. */
export function isSendKey({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey) && !nativeEvent.isComposing;
}

function preventDefault(action: () => void) {
  return (event: { preventDefault(): void }) => {
    event.preventDefault();
    action();
  };
}
