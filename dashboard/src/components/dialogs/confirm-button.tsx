import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Icon, type IconName } from '../text/icons.tsx';
import { Dialog } from './dialog.tsx';

interface OpenerProps {
  label: string;
  danger?: boolean;
  look?: 'primary';
  small?: boolean;
  /** Shown instead of the label. */
  icon?: IconName;
  /** Completes the label for screen readers: the thing that the action is for. */
  about?: string;
}

interface Props extends OpenerProps {
  title: string;
  /** The label of the button that confirms. */
  verb: string;
  /** The question. */
  children: ReactNode;
  action: () => Promise<unknown>;
}

/** A button that opens a dialog to confirm an action. An error of the action is shown there. */
export function ConfirmButton({ title, verb, children, action, ...opener }: Props) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const { busy, error, run } = useAction(action, close);
  useFocusPassedOn(button);
  return (
    <>
      <Opener {...opener} button={button} onOpen={() => setOpen(true)} />
      {open && (
        <Dialog title={title} onClose={close}>
          <div className="soft">{children}</div>
          {error && <Notice tone="bad">{error.message}</Notice>}
          <div className="form-actions">
            <Button
              look={opener.danger === false ? 'primary' : 'danger-fill'}
              busy={busy}
              onClick={() => {
                void run();
              }}
            >
              {verb}
            </Button>
            <Button onClick={close}>Go back</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Opener({
  label,
  look,
  small = false,
  icon,
  about,
  danger = true,
  button,
  onOpen,
}: OpenerProps & { button: RefObject<HTMLButtonElement | null>; onOpen: () => void }) {
  return (
    <Button
      ref={button}
      look={icon ? 'quiet' : (look ?? (danger ? 'danger' : 'plain'))}
      small={small}
      className={icon ? 'button-icon' : ''}
      onClick={onOpen}
      {...((about || icon) && { 'aria-label': about ? `${label} ${about}` : label })}
      {...(icon && { title: label })}
    >
      {icon ? <Icon name={icon} size={15} /> : label}
    </Button>
  );
}

/** If an action takes its own button away, the keyboard continues in the page, not at its top. */
function useFocusPassedOn(button: RefObject<HTMLButtonElement | null>): void {
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      const focused = document.activeElement;
      if (focused !== element && !focused?.closest('dialog')) return;
      queueMicrotask(() => {
        if (document.activeElement === document.body) document.getElementById('content')?.focus();
      });
    };
  }, [button]);
}

function useAction(action: () => Promise<unknown>, onDone: () => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await action();
      onDone();
    } catch (caught) {
      setError(caught as Error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}
