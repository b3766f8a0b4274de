import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../text/icons.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** For content that is shown once: Escape and clicks outside do not close it. */
  stubborn?: boolean;
  children: ReactNode;
}

/** A modal of the browser, which keeps the focus inside and returns it afterwards. */
export function Dialog({ title, onClose, stubborn = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Close it while it is still in the page: otherwise the focus does not return.
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
