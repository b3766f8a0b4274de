import { useState } from 'react';

/** A comment on a file: on a line of it, or on a passage. Kept in this browser until it is sent. */
export interface ReviewComment {
  id: number;
  file: string;
  line: number | null;
  quote: string;
  text: string;
}

export interface ReviewComments {
  comments: readonly ReviewComment[];
  add(comment: Omit<ReviewComment, 'id'>): void;
  remove(id: number): void;
  clear(): void;
}

/** The open comments of a review; `name` says which, such as "prj_1 12". */
export function useReviewComments(name: string): ReviewComments {
  const key = `docent review ${name}`;
  const [comments, setComments] = useState(() => stored(key));
  const change = (next: ReviewComment[]) => {
    setComments(next);
    try {
      if (next.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // The browser's storage is full: the comments are still on the page.
    }
  };
  return {
    comments,
    add: comment => change([...comments, { ...comment, id: Date.now() }]),
    remove: id => change(comments.filter(each => each.id !== id)),
    clear: () => change([]),
  };
}

/** One instruction to the job that opened the pull request. */
export function followUpOf(comments: readonly ReviewComment[]): string {
  const items = comments.map(({ file, line, quote, text }, i) => {
    const where = line === null ? file : `${file}, line ${line}`;
    const quoted = quote === '' ? '' : `\n${quote.replace(/^/gm, '> ')}`;
    return `${i + 1}. ${where}:${quoted}\n${text}`;
  });
  return `Change the pull request as these review comments ask:\n\n${items.join('\n\n')}`;
}

function stored(key: string): ReviewComment[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) ? (found as ReviewComment[]) : [];
  } catch {
    return [];
  }
}
