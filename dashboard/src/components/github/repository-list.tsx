import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { GitHubRepositoryList } from '../../../../api/dashboard/contract/github.ts';
import { gitHubRepositoriesQuery } from '../../data/github-queries.ts';
import { Button } from '../controls/button.tsx';
import { SearchBox } from '../controls/search-box.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Empty, Failed, Loading } from '../feedback/loaded.tsx';

type Repository = GitHubRepositoryList['repositories'][number];

interface Props {
  organization: string;
  /** Renders one repository of the list. */
  row: (repository: Repository) => ReactNode;
  /** What to do if there is no repository. */
  empty: ReactNode;
}

/** The repositories on GitHub that an organization can use, with a search, page by page. */
export function GitHubRepositories({ organization, row, empty }: Props) {
  const [search, setSearch] = useState<string>();
  const list = useInfiniteQuery(gitHubRepositoriesQuery(organization, search));
  return (
    <div className="stack-tight">
      {/* Inside a form, Enter must not submit the form. */}
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
        <Found list={list} row={row}>
          <Empty
            icon="projects"
            title={search ? 'No repository name matches' : 'No repositories available'}
          >
            {!search && empty}
          </Empty>
        </Found>
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

function Found({
  list,
  row,
  children,
}: {
  list: UseInfiniteQueryResult<InfiniteData<GitHubRepositoryList>>;
  row: Props['row'];
  /** Shown if there is none. */
  children: ReactNode;
}) {
  if (list.isError)
    return (
      <Failed
        error={list.error}
        retry={() => {
          void list.refetch();
        }}
      />
    );
  if (list.isPending) return <Loading lines={4} />;
  const repositories = list.data.pages.flatMap(page => page.repositories);
  if (repositories.length === 0) return children;
  return (
    <ul className="list" aria-label="Repositories">
      {repositories.map(each => (
        <li key={each.name}>{row(each)}</li>
      ))}
    </ul>
  );
}

/** The name of a repository, with badges. */
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
