import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Key } from '../../../../api/dashboard/contract/projects/projects.ts';
import { may, useProject } from '../../data/place.ts';
import { Pager, usePages } from '../controls/pager.tsx';
import { SearchBox } from '../controls/search-box.tsx';
import { Empty } from '../feedback/loaded.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKeyToken } from './new-key-token.tsx';

const route = getRouteApi('/app/$organization/$domain/keys');

/** Keys by name; those that are expired or revoked are apart. */
export function KeyBrowser({ keys }: { keys: readonly Key[] }) {
  const { organization, project } = useProject();
  const { search, show } = route.useSearch();
  const navigate = route.useNavigate();
  const [token, setToken] = useState<string>();
  const words = search?.toLowerCase() ?? '';
  const found = keys.filter(
    key =>
      (key.state === 'valid') === (show === undefined) &&
      `${key.name} ${key.start} ${key.kind}`.toLowerCase().includes(words),
  );
  const pages = usePages(found);
  const owner = may(organization.role, 'owner');
  return (
    <>
      <KeyTabs keys={keys} />
      <div className="filters">
        <SearchBox
          label="Search keys"
          placeholder="Search by name, kind or beginning"
          value={search}
          onChange={text => {
            void navigate({ search: old => ({ ...old, search: text }), replace: true });
          }}
        />
      </div>
      <section className="card" aria-label="Keys">
        {found.length > 0 ? (
          <KeyTable keys={pages.shown} owner={owner} projectId={project.id} onMade={setToken} />
        ) : (
          <Empty icon="keys" title={search ? 'No keys match' : 'No keys here'} />
        )}
      </section>
      <Pager pages={pages} label="Keys" />
      {token !== undefined && <NewKeyToken token={token} onClose={() => setToken(undefined)} />}
    </>
  );
}

function KeyTabs({ keys }: { keys: readonly Key[] }) {
  const { params } = useProject();
  const { search } = route.useSearch();
  const valid = keys.filter(key => key.state === 'valid').length;
  return (
    <nav className="tabs" aria-label="Filter by state">
      {(
        [
          [undefined, `Valid (${valid})`],
          ['ended', `Expired and revoked (${keys.length - valid})`],
        ] as const
      ).map(([show, name]) => (
        <Link
          key={name}
          to="/$organization/$domain/keys"
          params={params}
          search={{ search, show }}
          className="tab"
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
