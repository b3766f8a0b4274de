import { useSyncExternalStore } from 'react';

/** What lies over the page. */
export type Overlay = 'palette' | 'shortcuts' | null;

let overlay: Overlay = null;
const listeners = new Set<() => void>();

export function showOverlay(next: Overlay): void {
  overlay = next;
  for (const listener of listeners) listener();
}

export function openPalette(): void {
  showOverlay('palette');
}

export function useOverlay(): Overlay {
  return useSyncExternalStore(subscribe, () => overlay);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const SETTING = 'docent single keys';

/** Shortcuts of one character can be switched off: they get in the way of speech input. */
export function singleKeysAreOn(): boolean {
  return localStorage.getItem(SETTING) !== 'off';
}

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(SETTING);
  else localStorage.setItem(SETTING, 'off');
}

/** Whether a key belongs to a field or a dialog. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    (target instanceof Element &&
      target.closest('input, textarea, select, [contenteditable="true"]') !== null)
  );
}
