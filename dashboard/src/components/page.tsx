import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  title: string;
  /** Beside the title. */
  mark?: ReactNode;
  lead?: ReactNode;
  above?: ReactNode;
  actions?: ReactNode;
  width?: 'narrow' | 'normal' | 'wide';
  children: ReactNode;
}

/** A page: its title is the document's too, and takes the focus when somebody comes from another page. */
export function Page({ title, mark, lead, above, actions, width = 'normal', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => { document.title = `${title} · Docent`; }, [title]);
  useEffect(() => {
    if (document.body.dataset['navigated']) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={`page ${width === 'normal' ? '' : `page-${width}`}`}>
      <header className="page-head">
        <div className="titles">
          {above}
          <div className="row"><h1 ref={heading} tabIndex={-1}>{title}</h1>{mark}</div>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
