import { useEffect, useRef, useSyncExternalStore } from 'react';

const EVENTS = ['hashchange', 'popstate'];

function onMove(then: () => void): () => void {
  for (const event of EVENTS) addEventListener(event, then);
  return () => {
    for (const event of EVENTS) removeEventListener(event, then);
  };
}

export function useHash(): string {
  return useSyncExternalStore(onMove, () => location.hash.slice(1));
}

/**
 * Brings the element that the address's hash names into sight once it is there, and opens what it
 * is folded into. `size` changes with what is on the page.
 */
export function useHashTarget(size: number): void {
  const hash = useHash();
  const shown = useRef('');
  useEffect(() => {
    if (hash === '' || shown.current === hash) return;
    const target = document.getElementById(hash);
    if (!target) return;
    shown.current = hash;
    for (let each: HTMLElement | null = target; each; each = each.parentElement)
      if (each instanceof HTMLDetailsElement) each.open = true;
    for (const old of document.querySelectorAll('[data-target]'))
      delete (old as HTMLElement).dataset['target'];
    target.dataset['target'] = '';
    target.scrollIntoView({ block: 'start' });
  }, [hash, size]);
}
