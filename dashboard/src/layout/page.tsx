import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../components/text/icons.tsx';

interface PageProps {
  title: string;
  /** Beside the title. */
  mark?: ReactNode;
  lead?: ReactNode;
  above?: ReactNode;
  actions?: ReactNode;
  /** For forms: long lines are hard to read. */
  width?: 'narrow';
  children: ReactNode;
}

/** A page. Its title is also the document's, and gets the focus after a move between pages. */
export function Page({ title, mark, lead, above, actions, width, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Docent`;
  }, [title]);
  useEffect(() => {
    if (document.body.dataset['navigated']) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={`page ${width === 'narrow' ? 'page-narrow' : ''}`}>
      <header className="page-head">
        <div className="titles">
          {above}
          <div className="row">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {mark}
          </div>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {actions && <div className="row page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Back to the list that contains this page. */
export function BackLink({
  to,
  params,
  children,
}: {
  to: `/$organization/$domain/${'jobs' | 'pulls'}`;
  params: { organization: string; domain: string };
  children: ReactNode;
}) {
  return (
    <nav aria-label="Breadcrumb">
      <Link to={to} params={params} className="back-link">
        <Icon name="back" size={16} />
        {children}
      </Link>
    </nav>
  );
}
