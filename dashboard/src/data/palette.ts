import { store } from './store.ts';

/** What lies over the page. */
export type Overlay = 'palette' | 'shortcuts' | null;

const overlay = store<Overlay>(null);
export const useOverlay = overlay.use;
export const showOverlay = overlay.set;

export function openPalette(): void {
  showOverlay('palette');
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
