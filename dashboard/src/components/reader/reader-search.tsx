import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SiteSearchResults } from '../../../../api/dashboard/contract/site.ts';
import { useSite } from './site-source.ts';

const AFTER_MS = 200;

/** Search over the pages that the reader shows; results are links. */
export function ReaderSearch() {
  const site = useSite();
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  const found = useQuery({
    ...site.search(query),
    enabled: query !== '',
    staleTime: 60_000,
  });
  const results = query === '' ? undefined : found.data?.results;
  return (
    <search className="reader-search">
      <input
        type="search"
        className="input"
        placeholder="Search these docs"
        aria-label="Search these docs"
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape') setText('');
        }}
      />
      {query !== '' && (
        <div className="reader-results card" role="region" aria-label="Search results">
          <p className="visually-hidden" role="status">
            {results && `${results.length} found`}
          </p>
          {found.isError && <p className="card-pad">{found.error.message}</p>}
          {results?.length === 0 && <p className="card-pad soft">Nothing found for “{query}”.</p>}
          {results && <Results results={results} onChoose={() => setText('')} />}
        </div>
      )}
    </search>
  );
}

function Results({
  results,
  onChoose,
}: {
  results: SiteSearchResults['results'];
  onChoose: () => void;
}) {
  const site = useSite();
  return (
    <ul>
      {results.map(({ path, hash, title, heading, text: excerpt }, i) => (
        <li key={i}>
          <a
            href={site.address(path, hash ?? undefined)}
            onClick={event => {
              event.preventDefault();
              onChoose();
              site.go(path, hash ?? undefined);
            }}
          >
            <strong>
              {title}
              {heading && ` › ${heading}`}
            </strong>
            <span className="small soft">{excerpt}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
