import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** Takes back what was done; only where that is possible. */
  undo?: () => unknown;
}

/** Long enough to reach the button; a toast with the pointer or the focus on it stays. */
export const TOAST_MS = 8_000;

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function become(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says at the edge of the page what was done. */
export function showToast(toast: Omit<Toast, 'id' | 'tone'> & Partial<Pick<Toast, 'tone'>>): void {
  last += 1;
  const next: Toast = { tone: 'good', ...toast, id: last };
  become([...toasts, next].slice(-3));
}

export function closeToast(id: number): void {
  become(toasts.filter(toast => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For what has no place of its own for an error. */
export function showFailure(error: Error): void {
  showToast({ text: error.message, tone: 'bad' });
}
