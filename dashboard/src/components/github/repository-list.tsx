import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { GitHubRepositoryList } from '../../../../shared/dashboard/github.ts';
import { gitHubRepositoriesQuery } from '../../data/github-queries.ts';
import { Badge } from '../feedback/badge.tsx';
import { Button } from '../controls/button.tsx';
import { SearchBox } from '../controls/search-box.tsx';
import { Empty, Failed, Loading } from '../feedback/loaded.tsx';

type Repository = GitHubRepositoryList['repositories'][number];

interface Props {
  organization: string;
  /** One of the list. */
  row: (repository: Repository) => ReactNode;
  /** What there is to do where nothing can be reached. */
  empty: ReactNode;
}

/** The repositories on GitHub that an organization reaches: searched, page by page. */
export function GitHubRepositories({ organization, row, empty }: Props) {
  const [search, setSearch] = useState<string>();
  const list = useInfiniteQuery(gitHubRepositoriesQuery(organization, search));
  const found = list.data?.pages.flatMap(page => page.repositories) ?? [];
  return (
    <div className="stack-tight">
      {/* Within a form, the key that ends a search must not send it. */}
      <div
        onKeyDown={event => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      >
        <SearchBox
          label="Search repositories"
          placeholder="Search repositories"
          value={search}
          onChange={setSearch}
        />
      </div>
      <div className="choices">
        {list.isError ? (
          <Failed
            error={list.error}
            retry={() => {
              void list.refetch();
            }}
          />
        ) : list.isPending ? (
          <Loading lines={4} />
        ) : found.length === 0 ? (
          <Empty
            icon="projects"
            title={search ? 'No repository has that in its name' : 'No repository can be reached'}
          >
            {!search && empty}
          </Empty>
        ) : (
          <ul className="list" aria-label="Repositories">
            {found.map(each => (
              <li key={each.name}>{row(each)}</li>
            ))}
          </ul>
        )}
        {list.hasNextPage && !list.isError && (
          <div className="card-pad">
            <Button
              small
              busy={list.isFetchingNextPage}
              onClick={() => {
                void list.fetchNextPage();
              }}
            >
              Show more
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Name and marks of a repository. */
export function RepositoryName({
  repository: { name, private: isPrivate, archived },
}: {
  repository: Repository;
}) {
  return (
    <span className="row">
      <strong className="clip">{name}</strong>
      {isPrivate && <Badge>private</Badge>}
      {archived && <Badge tone="warn">archived</Badge>}
    </span>
  );
}
