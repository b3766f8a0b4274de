import { useMemo, useSyncExternalStore } from 'react';
import { Reader } from '../../components/reader/reader.tsx';
import { addressPath } from '../../components/reader/site-source.ts';
import { publicSource } from '../../components/reader/sources.ts';
import { PublicPage } from './public-page.tsx';

const MOVED = 'docs-moved';

/** Docent's own docs at `/docs`, and those of a public project at `/sites/<domain>`. */
export function PublicDocs() {
  const place = usePlace();
  const { base, domain, path } = siteAt(place.pathname);
  const source = useMemo(() => {
    const address = (to: string, hash?: string) =>
      `${base}${to === '/' ? '' : addressPath(to)}` +
      (hash === undefined ? '' : `#${encodeURIComponent(hash)}`);
    return publicSource(domain, {
      address,
      go(to, hash) {
        document.body.dataset['navigated'] = 'true';
        history.pushState(null, '', address(to, hash));
        dispatchEvent(new Event(MOVED));
      },
    });
  }, [base, domain]);
  return (
    <PublicPage
      home={base}
      brand={domain === '-' ? 'Docent docs' : domain}
      links={{ ...(domain === '-' && { 'API reference': '/reference' }), Dashboard: '/dashboard' }}
    >
      <Reader source={source} path={path} hash={place.hash} />
    </PublicPage>
  );
}

function siteAt(pathname: string): { base: string; domain: string; path: string } {
  const [, name] = /^\/sites\/([^/]+)/.exec(pathname) ?? [];
  const base = name === undefined ? '/docs' : `/sites/${name}`;
  const rest = pathname.slice(base.length).replace(/\/+$/, '');
  return { base, domain: name ?? '-', path: decoded(rest) };
}

function usePlace(): { pathname: string; hash: string } {
  const subscribe = (onChange: () => void) => {
    const events = ['popstate', 'hashchange', MOVED];
    for (const event of events) addEventListener(event, onChange);
    return () => {
      for (const event of events) removeEventListener(event, onChange);
    };
  };
  const href = useSyncExternalStore(subscribe, () => location.href);
  const { pathname, hash } = new URL(href);
  return { pathname, hash: decoded(hash.slice(1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
