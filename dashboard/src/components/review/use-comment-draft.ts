import { useRef } from 'react';
import { useDraft } from '../../data/draft.ts';

/** As the server has it: in characters of UTF-16, and no half of one. */
const LONGEST_QUOTE = 500;

/** What a comment quotes of a line or a passage. */
export function quoteOf(text: string): string {
  return text.slice(0, LONGEST_QUOTE).replace(/[\uD800-\uDBFF]$/, '');
}

export interface CommentPlace {
  line: number | null;
  quote: string;
}

/** A comment that is being written on a file. */
export interface CommentDraft {
  /** Undefined: none is. */
  place: CommentPlace | undefined;
  text: string;
  write(text: string): void;
  /** Begins a comment; what is typed already moves there. */
  open(place: CommentPlace): void;
  close(): void;
  /** The server has this one: what a person began meanwhile stays. */
  added(comment: CommentPlace & { text: string }): void;
}

/** The comment that is being written on a file; it survives reload. `name` says of which review. */
export function useCommentDraft(name: string, file: string): CommentDraft {
  const [stored, store] = useDraft(`comment ${name} ${file}`);
  const latest = useRef(stored);
  latest.current = stored;
  const { text = '', ...place } = parsed(stored);
  return {
    place: stored === '' ? undefined : { line: place.line ?? null, quote: place.quote ?? '' },
    text,
    write: next => store(JSON.stringify({ ...place, text: next })),
    open: ({ line, quote }) => store(JSON.stringify({ line, quote: quoteOf(quote), text })),
    close: () => store(''),
    added(comment) {
      const { text: typed = '', line = null, quote = '' } = parsed(latest.current);
      if (typed.trim() !== comment.text) return;
      const isHere = line === comment.line && quote === comment.quote;
      store(isHere ? '' : JSON.stringify({ line, quote, text: '' }));
    },
  };
}

function parsed(stored: string): Partial<CommentPlace & { text: string }> {
  return stored === '' ? {} : (JSON.parse(stored) as Partial<CommentPlace & { text: string }>);
}
