import { useEffect, useState } from 'react';
import { Button } from '../components/controls/button.tsx';
import { Icon } from '../components/text/icons.tsx';
import { closeToast, type Toast, TOAST_MS, useToasts } from '../data/toasts.ts';

/** What was done a moment ago, with a way back if there is one. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <div className="toasts" role="status" aria-label="Messages">
      {toasts.map(toast => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast }: { toast: Toast }) {
  const { id, text, tone, undo } = toast;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => closeToast(id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [held, id]);
  return (
    <div
      className={`toast toast-${tone}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
      {undo && (
        <Button
          small
          onClick={() => {
            closeToast(id);
            undo();
          }}
        >
          Undo
        </Button>
      )}
      <Button
        look="quiet"
        small
        className="button-icon"
        aria-label="Close message"
        onClick={() => closeToast(id)}
      >
        <Icon name="cross" size={14} />
      </Button>
    </div>
  );
}
