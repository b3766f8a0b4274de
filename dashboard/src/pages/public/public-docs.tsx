import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { PublicPageData } from '../../../../api/dashboard/contract/site.ts';
import { Reader } from '../../components/reader/reader.tsx';
import { addressPath, type SiteSource } from '../../components/reader/site-source.ts';
import { publicSource } from '../../components/reader/sources.ts';
import { loadWidget } from '../../components/widget/load-widget.ts';
import { queryClient } from '../../data/queries.ts';
import { urlOf } from '../../data/request.ts';
import { PublicPage } from './public-page.tsx';

const MOVED = 'docs-moved';

/**
 * Docent's own docs at `/docs`, and those of a public project at `/sites/<domain>`. `first`: the
 * page that the server has sent.
 */
export function PublicDocs({ first }: { first: PublicPageData | undefined }) {
  const place = usePlace();
  const { base, domain, path } = siteAt(place.pathname);
  const source = useMemo(() => {
    const address = (to: string, hash?: string) =>
      `${base}${to === '/' ? '' : addressPath(to)}` +
      (hash === undefined ? '' : `#${encodeURIComponent(hash)}`);
    const made = publicSource(domain, {
      address,
      go(to, hash) {
        document.body.dataset['navigated'] = 'true';
        history.pushState(null, '', address(to, hash));
        dispatchEvent(new Event(MOVED));
      },
    });
    if (first) keep(made, first);
    return made;
  }, [base, domain, first]);
  useAssistant(domain);
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

/** What the server has sent is not asked for again. */
function keep(source: SiteSource, { frame, page }: PublicPageData): void {
  queryClient.setQueryData(source.frame({}).queryKey, frame);
  if (!page) return;
  const language = page.language ?? undefined;
  const version = page.version ?? (page.versions.length > 0 ? '-' : undefined);
  queryClient.setQueryData(source.frame({ language, version }).queryKey, frame);
  queryClient.setQueryData(source.page(page.path).queryKey, page);
}

/** The widget, which asks without a key here. Docent's own docs are not a project: they have none. */
function useAssistant(domain: string): void {
  useEffect(() => {
    if (domain === '-') return;
    void loadWidget().then(widget =>
      widget.init({
        domain,
        variant: 'panel',
        addresses: { message: urlOf('POST /sites/:domain/assistant', { params: { domain } }) },
      }),
    );
  }, [domain]);
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
