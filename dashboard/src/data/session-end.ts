import { useSyncExternalStore } from 'react';

let isOver = false;
const listeners = new Set<() => void>();

/** Whether the session ended while a page was open; the page stays as it is until a new one begins. */
export function setSessionOver(over: boolean): void {
  isOver = over;
  for (const listener of listeners) listener();
}

export function useSessionOver(): boolean {
  return useSyncExternalStore(subscribe, () => isOver);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
