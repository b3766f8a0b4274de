import { store } from './store.ts';

export type Connection = 'fine' | 'lost' | 'back';

const PROBE_MS = 2_000;
/** How long the page says that the connection is back. */
const BACK_MS = 4_000;

const state = store<Connection>('fine');
export const useConnection = state.use;
let onBack: () => void = () => undefined;

/** A request got no answer: asks until the server answers again. */
export function connectionLost(): void {
  if (state.get() === 'lost') return;
  state.set('lost');
  void probe();
}

/** A stream ended, as it also does when all is well: asks once whether the server answers. */
export async function checkConnection(): Promise<void> {
  if (state.get() !== 'lost' && !(await serverAnswers())) connectionLost();
}

async function serverAnswers(): Promise<boolean> {
  const answer = await fetch('/api/dashboard/setup').catch(() => undefined);
  // A proxy answers 502 to 504 while the server behind it is away.
  return answer !== undefined && answer.status < 500;
}

async function probe(): Promise<void> {
  do await new Promise(resolve => setTimeout(resolve, PROBE_MS));
  while (!(await serverAnswers()));
  state.set('back');
  onBack();
  setTimeout(() => {
    if (state.get() === 'back') state.set('fine');
  }, BACK_MS);
}

/** `whenBack` runs each time the connection is back. */
export function watchConnection(whenBack: () => void): void {
  onBack = whenBack;
  addEventListener('offline', connectionLost);
}
