import { useSyncExternalStore } from 'react';

export type Connection = 'fine' | 'lost' | 'back';

const PROBE_MS = 2_000;
/** How long the page says that the connection is back. */
const BACK_MS = 4_000;

let state: Connection = 'fine';
let onBack: () => void = () => undefined;
const listeners = new Set<() => void>();

function become(next: Connection): void {
  state = next;
  for (const listener of listeners) listener();
}

/** A request or a stream got no answer: asks until the server answers again. */
export function connectionLost(): void {
  if (state === 'lost') return;
  become('lost');
  void probe();
}

async function probe(): Promise<void> {
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, PROBE_MS));
    const answer = await fetch('/api/dashboard/setup').catch(() => undefined);
    // A proxy answers 502 to 504 while the server behind it is away.
    if (answer && answer.status < 500) break;
  }
  become('back');
  onBack();
  setTimeout(() => {
    if (state === 'back') become('fine');
  }, BACK_MS);
}

/** `whenBack` runs each time the connection is back. */
export function watchConnection(whenBack: () => void): void {
  onBack = whenBack;
  addEventListener('offline', connectionLost);
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => state);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
