import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { IndexStatus, Site } from '../../../../api/dashboard/contract/projects/projects.ts';
import { may, useProject } from '../../data/place.ts';
import { indexQuery } from '../../data/queries.ts';
import { Loaded } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';
import { formatNumber } from '../text/format.tsx';

/** What was found of the site: what builds it, its pages and their addresses. */
export function SiteFound() {
  const { organization, project, params } = useProject();
  const status = useQuery(indexQuery(project.id));
  return (
    <section className="card" aria-labelledby="site-found">
      <div className="card-head">
        <h2 id="site-found">Site</h2>
        {may(organization.role, 'owner') && (
          <Link to="/$organization/$domain/settings" params={params}>
            Change
          </Link>
        )}
      </div>
      <div className="card-pad stack">
        <Loaded query={status} lines={4}>
          {data =>
            data.site ? (
              <>
                <SiteFacts site={data.site} />
                <Published published={data.published} />
              </>
            ) : (
              <NotFound status={data} />
            )
          }
        </Loaded>
      </div>
    </section>
  );
}

function NotFound({ status }: { status: IndexStatus }) {
  if (status.failure) return <Notice tone="warn">The site cannot be read. {status.failure}</Notice>;
  return (
    <p className="soft" role="status">
      {status.run === 'running' ? 'The site is being read …' : 'The site was not read yet.'}
    </p>
  );
}

/** Beside what is published: a warning is what readers would run into. */
function Published({ published }: Pick<IndexStatus, 'published'>) {
  if (!published) return null;
  const { says, failure } = published;
  return (
    <>
      {says !== null && (
        <p>
          <strong>The published site</strong> {says}
        </p>
      )}
      {failure !== null && (
        <Notice tone="warn">The published site could not be compared. {failure}</Notice>
      )}
    </>
  );
}

/** What a site is, its pages and addresses, and what of it is not read. */
export function SiteFacts({ site }: { site: Site }) {
  return (
    <>
      <dl className="facts">
        <dt>Kind</dt>
        <dd>{site.kindTitle}</dd>
        <dt>Docs folder</dt>
        <dd>
          <code>{site.docsFolder || '/'}</code>
        </dd>
        <dt>Pages</dt>
        <dd className="number">
          {formatNumber(site.pages)}
          {site.apiPages > 0 && `, ${formatNumber(site.apiPages)} of them of an API`}
          {site.leftOut > 0 && `, and ${formatNumber(site.leftOut)} left out`}
        </dd>
        <dt>Navigation</dt>
        <dd>{site.navigation === null ? 'by folder' : entries(site.navigation)}</dd>
        <dt>Languages</dt>
        <dd>{languages(site)}</dd>
        {site.versions.length > 0 && (
          <>
            <dt>Versions</dt>
            <dd>{site.versions.join(', ')}</dd>
          </>
        )}
        <dt>Base path</dt>
        <dd>
          <code>{site.basePath}</code>
        </dd>
        <Addresses examples={site.examples} />
      </dl>
      <NotRead site={site} />
    </>
  );
}

function Addresses({ examples }: { examples: Site['examples'] }) {
  return examples.map(({ file, url }, i) => (
    <Fragment key={file}>
      <dt>{i === 0 ? 'Addresses' : ''}</dt>
      <dd>
        <code>{file}</code> → <code>{url}</code>
      </dd>
    </Fragment>
  ));
}

function NotRead({ site }: { site: Site }) {
  const lines = site.unread.map(({ file, line, message }) => ({
    place: line === null ? file : `${file}:${line}`,
    message,
  }));
  if (site.unreadPages === null && lines.length === 0) return null;
  return (
    <Notice tone="warn">
      <strong>Not read</strong>
      <ul>
        {site.unreadPages !== null && <li>{site.unreadPages}</li>}
        {lines.map(({ place, message }) => (
          <li key={`${place} ${message}`}>
            <code>{place}</code> {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${formatNumber(count)} entries`;
}

function languages({ languages: all, defaultLanguage }: Site): string {
  if (all.length === 0) return 'one';
  return all.map(one => (one === defaultLanguage ? `${one} (default)` : one)).join(', ');
}
