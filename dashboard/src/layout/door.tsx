import { type ReactNode, useEffect } from 'react';

/** The pages in front of sign-in. */
export function Door({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => { document.title = `${title} · Docent`; }, [title]);
  return (
    <main className="door">
      <div className="door-box">
        <div className="door-brand">
          <img src="/dashboard/icon.svg" alt="" width="44" height="44" />
          <h1>{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        <div className="card card-pad">{children}</div>
      </div>
    </main>
  );
}
