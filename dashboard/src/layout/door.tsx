import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { buttonClass } from '../components/controls/button.tsx';

/** The frame of the pages outside sign-in. `foot`: help for people who cannot sign in here. */
export function Door({
  title,
  lead,
  foot,
  children,
}: {
  title: string;
  lead?: ReactNode;
  foot?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Docent`;
  }, [title]);
  return (
    <main className="door">
      <div className="door-box">
        <div className="door-brand">
          <img src="/dashboard/icon.svg" alt="" width="44" height="44" />
          <h1>{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        <div className="card card-pad">{children}</div>
        {foot && <div className="door-foot">{foot}</div>}
      </div>
    </main>
  );
}

/** A one-time link that does not work, or a sign-in that failed. */
export function DeadLink({
  title = 'This link does not work',
  sentence,
}: {
  title?: string;
  sentence: string;
}) {
  return (
    <Door title={title}>
      <div className="stack" role="alert">
        <p>{sentence}</p>
        <Link to="/sign-in" className={buttonClass()}>
          Back to sign-in
        </Link>
      </div>
    </Door>
  );
}
