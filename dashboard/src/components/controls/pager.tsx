import { useState } from 'react';
import { Button } from './button.tsx';

const PAGE = 25;

interface Pages<T> {
  shown: readonly T[];
  /** From 0. */
  at: number;
  of: number;
  total: number;
  go: (page: number) => void;
}

/** A list that is here as a whole, page by page. */
export function usePages<T>(list: readonly T[]): Pages<T> {
  const [page, go] = useState(0);
  const of = Math.max(1, Math.ceil(list.length / PAGE));
  const at = Math.min(page, of - 1);
  return { shown: list.slice(at * PAGE, (at + 1) * PAGE), at, of, total: list.length, go };
}

export function Pager({ pages, label }: { pages: Pages<unknown>; label: string }) {
  const { at, of, total, go } = pages;
  if (of === 1) return null;
  const last = Math.min(total, (at + 1) * PAGE);
  return (
    <nav className="row" aria-label={`Pages of ${label.toLowerCase()}`}>
      <Button small disabled={at === 0} onClick={() => go(at - 1)}>
        Previous
      </Button>
      <span className="small soft number" role="status">
        {at * PAGE + 1} to {last} of {total}
      </span>
      <Button small disabled={at === of - 1} onClick={() => go(at + 1)}>
        Next
      </Button>
    </nav>
  );
}
