import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { showOverlay } from '../../data/palette.ts';
import { usePause } from '../../data/pause.ts';
import type { Organization, ProjectRef } from '../../data/place.ts';
import { findQuery } from '../../data/queries.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { Icon } from '../text/icons.tsx';
import { type Entry, useFixedEntries } from './entries.ts';
import { useFoundEntries } from './found-entries.ts';

/** After this pause in typing the server is asked. */
const PAUSE_MS = 120;

/** Finds jobs, pull requests, questions, pages, keys and actions; Enter opens the marked one. */
export function Palette({
  organization,
  project,
}: {
  organization: Organization;
  project: ProjectRef | undefined;
}) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const [opensNext, setOpensNext] = useState(false);
  const { entries, fixed, isCurrent, found } = useEntries(organization, project, words);
  const listId = useId();
  const marked = Math.min(at, entries.length - 1);
  const close = () => showOverlay(null);
  const choose = (entry: Entry) => {
    close();
    entry.open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setAt((marked + step + entries.length) % entries.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      setOpensNext(true);
    }
  };
  // Enter waits for the answer to these words: until then the rest of the list is an older one.
  useEffect(() => {
    const entry = entries[marked];
    if (opensNext && entry && (isCurrent || marked < fixed)) choose(entry);
  });
  return (
    <Dialog title="Find anything" onClose={close}>
      <WordsInput
        listId={listId}
        marked={entries.length > 0 ? marked : undefined}
        value={words}
        onKeyDown={onKeyDown}
        onChange={text => {
          setWords(text);
          setAt(0);
          setOpensNext(false);
        }}
      />
      <Results id={listId} entries={entries} marked={marked} onChoose={choose} />
      <Report found={found} isNone={entries.length === 0} />
    </Dialog>
  );
}

/** Of these, the first `fixed` are known here and need no answer of the server. */
function useEntries(organization: Organization, project: ProjectRef | undefined, words: string) {
  const asked = usePause(words, PAUSE_MS);
  const found = useQuery(findQuery(organization.slug, asked));
  const known = useFixedEntries(organization, project, words);
  return {
    entries: [...known, ...useFoundEntries(organization, project, found.data)],
    fixed: known.length,
    isCurrent: words === asked && !found.isFetching,
    found,
  };
}

function Report({ found, isNone }: { found: UseQueryResult; isNone: boolean }) {
  const { error, isFetching } = found;
  return (
    <p className="small faint" role="status">
      {error && `Only pages and actions: ${error.message}`}
      {isNone && !isFetching && 'Nothing found.'}
    </p>
  );
}

function WordsInput({
  listId,
  marked,
  value,
  onKeyDown,
  onChange,
}: {
  listId: string;
  marked: number | undefined;
  value: string;
  onKeyDown: (event: KeyboardEvent) => void;
  onChange: (text: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // The dialog puts the focus on its first button.
  useEffect(() => input.current?.focus(), []);
  return (
    <input
      ref={input}
      className="input"
      type="text"
      role="combobox"
      aria-label="Jobs, pull requests, questions, pages, keys and actions"
      aria-expanded="true"
      aria-controls={listId}
      aria-activedescendant={marked === undefined ? undefined : `${listId}-${marked}`}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      placeholder="Words, or #12 for a pull request"
      value={value}
      onKeyDown={onKeyDown}
      onChange={event => onChange(event.target.value)}
    />
  );
}

function Results({
  id,
  entries,
  marked,
  onChoose,
}: {
  id: string;
  entries: readonly Entry[];
  marked: number;
  onChoose: (entry: Entry) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [marked, entries.length]);
  return (
    <ul ref={list} id={id} className="palette-list" role="listbox" aria-label="Results">
      {entries.map((entry, i) => (
        <li
          key={entry.id}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === marked}
          className="palette-entry"
          onClick={() => onChoose(entry)}
        >
          <Icon name={entry.icon} size={16} />
          <span className="clip">{entry.title}</span>
          <span className="small faint">{entry.kind}</span>
        </li>
      ))}
    </ul>
  );
}
