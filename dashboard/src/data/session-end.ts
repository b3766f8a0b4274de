import { store } from './store.ts';

const isOver = store(false);
/** Whether the session ended while a page was open; the page stays as it is until a new one begins. */
export const useSessionOver = isOver.use;
let begun = 0;

export function setSessionOver(over: boolean): void {
  if (!over) begun += 1;
  isOver.set(over);
}

/** How many sessions have begun here: a refusal of an earlier one says nothing about the present. */
export function sessionsBegun(): number {
  return begun;
}
