import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RequestError } from '../../data/request.ts';
import { Button } from '../controls/button.tsx';
import { Snippet } from '../controls/copy.tsx';
import { Icon, type IconName } from '../text/icons.tsx';
import { Notice } from './notice.tsx';

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** Lines of the placeholder while it loads. */
  lines?: number;
  children: (data: T) => ReactNode;
}

/** Shows data, a placeholder or an error, so that no page forgets one. Data stays on a refetch. */
export function Loaded<T>({ query, lines = 4, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError)
    return (
      <Failed
        error={query.error}
        retry={() => {
          void query.refetch();
        }}
      />
    );
  return <Loading lines={lines} />;
}

export function Loading({ lines }: { lines: number }) {
  return (
    <div className="stack card-pad" role="status">
      <span className="visually-hidden">Loading …</span>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className="skeleton" style={{ width: `${[92, 64, 78, 50][i % 4]}%` }} />
      ))}
    </div>
  );
}

export function Failed({ error, retry }: { error: Error; retry: () => void }) {
  const missing = error instanceof RequestError && error.status === 404;
  return (
    <div className="state" role="alert">
      <Icon name="warning" size={28} />
      <h2>{missing ? 'Not found' : 'Could not load this'}</h2>
      <p>{error.message}</p>
      {!missing && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** The button that loads the next page of a list. */
export function More({
  query,
  children,
}: {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
  children: string;
}) {
  if (!query.hasNextPage) return null;
  return (
    <div className="stack-tight">
      {query.isFetchNextPageError && <Notice tone="bad">{query.error?.message}</Notice>}
      <div>
        <Button
          busy={query.isFetchingNextPage}
          onClick={() => {
            void query.fetchNextPage();
          }}
        >
          {children}
        </Button>
      </div>
    </div>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  /** A command to paste. */
  command?: string;
  action?: ReactNode;
}

export function Empty({ icon, title, children, command, action }: EmptyProps) {
  return (
    <div className="state">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
      {command && <Snippet text={command} what="command" />}
    </div>
  );
}
