import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from '../components/controls/button.tsx';
import { Icon } from '../components/text/icons.tsx';
import { usePlace, useSession } from '../data/place.ts';
import { ConnectionLine } from './connection-line.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
import { Toasts } from './toasts.tsx';

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
      <Toasts />
      <Shortcuts />
    </div>
  );
}
