import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon, type IconName } from '../text/icons.tsx';
import { Notice } from '../feedback/notice.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** For what is shown once: only its own button closes it. */
  stubborn?: boolean;
  children: ReactNode;
}

/**
 * A modal of the browser's own: focus stays inside, Escape closes, focus returns to where it was.
 */
export function Dialog({ title, onClose, stubborn = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed while it is still in the page: only then does the focus go back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault();
        if (!stubborn) onClose();
      }}
      onClick={event => {
        if (!stubborn && event.target === dialog.current) onClose();
      }}
    >
      <div className="dialog-body">
        <div className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {!stubborn && (
            <Button look="quiet" small className="button-icon" aria-label="Close" onClick={onClose}>
              <Icon name="cross" size={16} />
            </Button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  label: string;
  title: string;
  /** The button that does it. */
  verb: string;
  children: ReactNode;
  action: () => Promise<unknown>;
  danger?: boolean;
  /** Of the button that asks. */
  look?: 'primary';
  small?: boolean;
  /** Shown in the label's place. */
  icon?: IconName;
  /** What the button is about, where its label alone does not tell. */
  about?: string;
}

/** A button that asks first, and shows where it was asked what went wrong. */
export function ConfirmButton({
  label,
  title,
  verb,
  children,
  action,
  danger = true,
  look,
  small = false,
  icon,
  about,
}: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await action();
      setOpen(false);
    } catch (caught) {
      setError(caught as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        look={icon ? 'quiet' : (look ?? (danger ? 'danger' : 'plain'))}
        small={small}
        className={icon ? 'button-icon' : ''}
        onClick={() => setOpen(true)}
        {...((about || icon) && { 'aria-label': about ? `${label} ${about}` : label })}
        {...(icon && { title: label })}
      >
        {icon ? <Icon name={icon} size={15} /> : label}
      </Button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <div className="soft">{children}</div>
          {error && <Notice tone="bad">{error.message}</Notice>}
          <div className="form-actions">
            <Button
              look={danger ? 'danger-fill' : 'primary'}
              busy={busy}
              onClick={() => {
                void confirm();
              }}
            >
              {verb}
            </Button>
            <Button onClick={() => setOpen(false)}>Keep it as it is</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
