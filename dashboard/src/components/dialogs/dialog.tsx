import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../text/icons.tsx';

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
