import { useSyncExternalStore } from 'react';

let isOver = false;
let begun = 0;
const listeners = new Set<() => void>();

/** Whether the session ended while a page was open; the page stays as it is until a new one begins. */
export function setSessionOver(over: boolean): void {
  isOver = over;
  if (!over) begun += 1;
  for (const listener of listeners) listener();
}

/** How many sessions have begun here: a refusal of an earlier one says nothing about the present. */
export function sessionsBegun(): number {
  return begun;
}

export function useSessionOver(): boolean {
  return useSyncExternalStore(subscribe, () => isOver);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
