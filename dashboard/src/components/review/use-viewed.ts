import { useState } from 'react';

/** The files of a pull request that this person has marked as viewed, in this browser. */
export function useViewed(name: string): [ReadonlySet<string>, (mark: string) => void] {
  const key = `docent viewed ${name}`;
  const [viewed, setViewed] = useState(() => stored(key));
  const toggle = (mark: string) => {
    const next = new Set(viewed);
    if (!next.delete(mark)) next.add(mark);
    setViewed(next);
    try {
      localStorage.setItem(key, JSON.stringify([...next]));
    } catch {
      // The browser's storage is full: the marks last as long as the page.
    }
  };
  return [viewed, toggle];
}

function stored(key: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(key) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}
