import { useState } from 'react';

/**
 * A text that is kept while it is written: for this tab, through navigation and reload. `name`
 * says whose it is, such as "follow-up job_1".
 */
export function useDraft(name: string): [string, (text: string) => void] {
  const key = `docent draft ${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const change = (next: string) => {
    setText(next);
    try {
      if (next === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
    } catch {
      // The tab's storage is full: the text is still on the page.
    }
  };
  return [text, change];
}
