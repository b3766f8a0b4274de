import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { SiteSearchResults } from '../../../../api/dashboard/contract/site.ts';
import { isTyping, singleKeysAreOn } from '../../data/palette.ts';
import { usePause } from '../../data/pause.ts';
import { plural } from '../text/format.tsx';
import { useSite } from './site-source.ts';

const AFTER_MS = 200;
type Result = SiteSearchResults['results'][number];

/** Search over the pages that the reader shows: arrows choose a result, Enter opens it. */
export function ReaderSearch() {
  const { text, write, query, found, results, at, open, onKeyDown } = useSearch();
  const input = useSlash();
  const listId = useId();
  return (
    <search className="reader-search">
      <input
        ref={input}
        type="search"
        role="combobox"
        className="input"
        placeholder="Search these docs"
        aria-label="Search these docs"
        aria-keyshortcuts="/"
        aria-expanded={query !== ''}
        aria-controls={listId}
        aria-activedescendant={results?.[at] && `${listId}-${at}`}
        value={text}
        onChange={event => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {query !== '' && (
        <div className="reader-results card" role="region" aria-label="Search results">
          <p className="visually-hidden" role="status">
            {results && plural(results.length, 'result')}
          </p>
          {found.isError && <p className="card-pad">{found.error.message}</p>}
          {results?.length === 0 && <p className="card-pad soft">No results for “{query}”.</p>}
          <Results id={listId} {...{ results, query, at, open }} />
        </div>
      )}
    </search>
  );
}

/** What is typed, what was found, and which result is chosen. */
function useSearch() {
  const site = useSite();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [opensNext, setOpensNext] = useState(false);
  const query = usePause(text.trim(), AFTER_MS);
  const found = useQuery({
    ...site.search(query),
    enabled: query !== '',
    staleTime: 60_000,
  });
  const results = (query !== '' && found.data?.results) || undefined;
  const write = (next: string) => {
    setText(next);
    setAt(0);
    setOpensNext(false);
  };
  const open = ({ path, hash }: Result) => {
    write('');
    site.go(path, hash ?? undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') write('');
    else if (step !== undefined && results)
      setAt(Math.max(0, Math.min(results.length - 1, at + step)));
    else if (event.key === 'Enter') setOpensNext(true);
    else return;
    event.preventDefault();
  };
  // Enter waits for the results of what is typed.
  const chosen = text.trim() === query ? results?.[at] : undefined;
  useEffect(() => {
    if (opensNext && chosen) open(chosen);
  });
  return { text, write, query, found, results, at, open, onKeyDown };
}

function Results({
  id,
  results = [],
  query,
  at,
  open,
}: {
  id: string;
  results: readonly Result[] | undefined;
  query: string;
  at: number;
  open: (result: Result) => void;
}) {
  const site = useSite();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div ref={list} id={id} role="listbox" aria-label="Results">
      {results.map((result, i) => (
        <a
          key={i}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === at}
          tabIndex={-1}
          href={site.address(result.path, result.hash ?? undefined)}
          onClick={event => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            open(result);
          }}
        >
          <strong>
            {marked(result.title, query)}
            {result.heading && <> › {marked(result.heading, query)}</>}
          </strong>
          <span className="small soft">{marked(result.text, query)}</span>
        </a>
      ))}
    </div>
  );
}

/** The words of a query marked, from where a word begins. */
function marked(text: string, query: string): ReactNode {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return text;
  return text
    .split(new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu'))
    .map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part));
}

/** The field to which `/` leads. */
function useSlash() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event) || !singleKeysAreOn()) return;
      event.preventDefault();
      event.stopPropagation();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return input;
}
