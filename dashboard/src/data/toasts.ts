import { store } from './store.ts';

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** Takes back what was done; only where that is possible. */
  undo?: () => unknown;
}

/** Long enough to reach the button; a toast with the pointer or the focus on it stays. */
export const TOAST_MS = 8_000;

const toasts = store<readonly Toast[]>([]);
export const useToasts = toasts.use;
let last = 0;

/** Says at the edge of the page what was done. */
export function showToast(toast: Omit<Toast, 'id' | 'tone'> & Partial<Pick<Toast, 'tone'>>): void {
  last += 1;
  const next: Toast = { tone: 'good', ...toast, id: last };
  toasts.set([...toasts.get(), next].slice(-3));
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter(toast => toast.id !== id));
}

/** For what has no place of its own for an error. */
export function showFailure(error: Error): void {
  showToast({ text: error.message, tone: 'bad' });
}
