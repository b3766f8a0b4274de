import '../../styles/public.css';
import type { ReactNode } from 'react';
import { ThemeChoice } from '../../layout/theme.tsx';

/** A page for people without an account. */
export function PublicPage({
  home,
  brand,
  links,
  children,
}: {
  home: string;
  brand: string;
  /** Addresses by what they are called. */
  links: Record<string, string>;
  children: ReactNode;
}) {
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <header className="public-head">
        <a href={home} className="brand">
          <img src="/dashboard/icon.svg" alt="" width="24" height="24" />
          {brand}
        </a>
        <nav aria-label="Docent" className="row">
          {Object.entries(links).map(([name, address]) => (
            <a key={name} href={address}>
              {name}
            </a>
          ))}
        </nav>
        <ThemeChoice />
      </header>
      <main id="content" tabIndex={-1} className="public-main">
        {children}
      </main>
    </>
  );
}
