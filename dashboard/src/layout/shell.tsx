import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/controls/button.tsx';
import { Icon } from '../components/text/icons.tsx';
import { usePlace, useSession } from '../data/place.ts';
import { Shortcuts } from './shortcuts.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { Sidebar } from './sidebar.tsx';
import { useConnection } from '../data/connection.ts';
import { closeToast, type Toast, TOAST_MS, useToasts } from '../data/toasts.ts';

/** Sidebar and page; on a phone the sidebar is a drawer. */
export function Shell() {
  const {
    organizations: [first],
  } = useSession();
  // The account page is outside every organization, and still has a menu.
  const { organization = first, project } = usePlace();
  const drawer = useRef<HTMLDialogElement>(null);
  const { pathname } = useLocation();
  useEffect(() => drawer.current?.close(), [pathname]);
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <div className="sidebar-column">
        <div className="sidebar">
          <Sidebar organization={organization} project={project} />
        </div>
      </div>
      <header className="topbar">
        <Button
          look="quiet"
          className="button-icon"
          aria-label="Menu"
          onClick={() => drawer.current?.showModal()}
        >
          <Icon name="menu" />
        </Button>
        <span className="place clip">{project?.name ?? organization?.name ?? 'Docent'}</span>
      </header>
      <dialog
        ref={drawer}
        className="dialog drawer"
        aria-label="Menu"
        onClick={event => {
          if (event.target === drawer.current) drawer.current?.close();
        }}
      >
        <div className="sidebar">
          <Sidebar organization={organization} project={project} />
        </div>
      </dialog>
      <main className="main" id="content" tabIndex={-1}>
        <ConnectionLine />
        <Outlet />
      </main>
      <Overlays />
    </div>
  );
}

function Overlays() {
  return (
    <>
      <Toasts />
      <Shortcuts />
      <SignInAgain />
    </>
  );
}

/** Says that the server does not answer, and when it does again. */
function ConnectionLine() {
  const connection = useConnection();
  return (
    <div role="status" aria-label="Connection">
      {connection !== 'fine' && (
        <p className={`connection connection-${connection}`}>
          <Icon name={connection === 'lost' ? 'warning' : 'check'} size={16} />
          {connection === 'lost'
            ? 'Docent does not answer. Trying again. What you typed is kept.'
            : 'The connection is back.'}
        </p>
      )}
    </div>
  );
}

/** What was done a moment ago, with a way back if there is one. */
function Toasts() {
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
