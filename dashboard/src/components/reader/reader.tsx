import '../../styles/page-body.css';
import '../../styles/reader.css';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { SitePageView, SiteView } from '../../../../api/dashboard/contract/site.ts';
import { Empty, Failed, Loaded, Loading } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Editions } from './editions.tsx';
import { PageTree } from './page-tree.tsx';
import { ReaderNavigation } from './reader-navigation.tsx';
import { ReaderSearch } from './reader-search.tsx';
import { type SiteSource, SourceProvider, useSite } from './site-source.ts';

interface ReaderProps {
  source: SiteSource;
  /** Site path; '' is the site's first page. */
  path: string;
  /** Anchor to go to. */
  hash: string;
  /** Beside the search. */
  actions?: ReactNode;
  /** Beside the page, instead of its contents. */
  side?: ReactNode;
}

/** A docs site: navigation, page, contents and search. */
export function Reader({ source, ...rest }: ReaderProps) {
  const frame = useQuery({ ...source.frame({}), staleTime: 60_000 });
  return (
    <SourceProvider value={source}>
      <Loaded query={frame} lines={8}>
        {site => <ReadSite site={site} {...rest} />}
      </Loaded>
    </SourceProvider>
  );
}

function ReadSite({
  site,
  path: wanted,
  hash,
  actions,
  side,
}: Omit<ReaderProps, 'source'> & { site: SiteView }) {
  const source = useSite();
  const path = wanted === '' ? (site.home ?? '') : wanted;
  const page = useQuery({ ...source.page(path), staleTime: 60_000, enabled: path !== '' });
  // `-`: the pages of no version, beside those of several.
  const edition = {
    language: page.data?.language ?? undefined,
    version: page.data?.version ?? (page.data?.versions.length ? '-' : undefined),
  };
  const own = useQuery({
    ...source.frame(edition),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    enabled: edition.language !== undefined || edition.version !== undefined,
  });
  if (path === '') return <Empty icon="overview" title="These docs have no pages" />;
  return (
    <div className={`reader ${side ? 'reader-with-side' : ''}`}>
      <div className="reader-tools">
        <ReaderSearch />
        {page.data && <Editions page={page.data} />}
        {actions}
      </div>
      <ReaderNavigation entries={(own.data ?? site).navigation} current={page.data?.path ?? path} />
      <ReadPage page={page} path={path} hash={hash} siteName={site.name} hasContents={!side} />
      {side && <div className="reader-side">{side}</div>}
    </div>
  );
}

function ReadPage({
  page,
  path,
  hash,
  siteName,
  hasContents,
}: {
  page: UseQueryResult<SitePageView>;
  path: string;
  hash: string;
  siteName: string;
  hasContents: boolean;
}) {
  if (page.isError)
    return (
      <div className="reader-page">
        <Failed error={page.error} retry={() => void page.refetch()} />
      </div>
    );
  if (!page.data)
    return (
      <div className="reader-page">
        <Loading lines={8} />
      </div>
    );
  return (
    <>
      <Article
        key={path}
        page={page.data}
        hash={hash || (page.data.anchor ?? '')}
        siteName={siteName}
      />
      {hasContents && <Contents page={page.data} />}
    </>
  );
}

function Article({ page, hash, siteName }: { page: SitePageView; hash: string; siteName: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${page.title} · ${siteName}`;
  }, [page.title, siteName]);
  useEffect(() => {
    const target = hash === '' ? null : document.getElementById(hash);
    if (target) {
      target.scrollIntoView();
      target.focus({ preventScroll: true });
    } else if (document.body.dataset['navigated']) {
      window.scrollTo(0, 0);
      title.current?.focus({ preventScroll: true });
    }
  }, [hash]);
  return (
    <article className="reader-page" aria-labelledby="page-title">
      {page.crumbs.length > 0 && <p className="reader-crumbs">{page.crumbs.join(' › ')}</p>}
      <h1 id="page-title" ref={title} tabIndex={-1}>
        {page.title}
      </h1>
      {page.description && <p className="reader-lead">{page.description}</p>}
      {page.problem && <Notice tone="warn">{page.problem}</Notice>}
      <div className="page-body">
        <PageTree nodes={page.nodes} />
      </div>
      <Neighbours page={page} />
    </article>
  );
}

function Contents({ page: { headings } }: { page: SitePageView }) {
  if (headings.length < 2) return null;
  return (
    <nav className="reader-contents" aria-label="On this page">
      <p className="nav-title">On this page</p>
      <ul>
        {headings.map(({ id, text, depth }) => (
          <li key={id} className={depth === 3 ? 'deeper' : undefined}>
            <a href={`#${encodeURIComponent(id)}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbours({ page: { previous, next } }: { page: SitePageView }) {
  const site = useSite();
  if (!previous && !next) return null;
  const link = (to: NonNullable<typeof next>, label: string) => (
    <a
      href={site.address(to.path)}
      className="reader-neighbour"
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        site.go(to.path);
      }}
    >
      <span className="faint small">{label}</span>
      {to.title}
    </a>
  );
  return (
    <nav className="reader-neighbours" aria-label="Previous and next page">
      {previous && link(previous, 'Previous')}
      {next && link(next, 'Next')}
    </nav>
  );
}
