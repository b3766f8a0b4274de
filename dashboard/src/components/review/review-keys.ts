import { useEffect, useRef } from 'react';
import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { isTyping, singleKeysAreOn } from '../../data/palette.ts';
import { fileAnchor } from '../diff/file-diff.tsx';

/** Below the bar that stays at the top. */
const TOP = 64;

/** `n` and `p` go from file to file, `v` marks the one at the top, `c` comments on its passage. */
export function useReviewKeys(
  files: readonly FileDiff[],
  onViewed: (file: FileDiff) => void,
): void {
  const latest = useRef({ files, onViewed });
  latest.current = { files, onViewed };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || isTyping(event) || !singleKeysAreOn()) return;
      if (!act(key, latest.current.files, latest.current.onViewed)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the shortcuts of the whole dashboard, of which `c` is one.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

function act(key: string, files: readonly FileDiff[], onViewed: (file: FileDiff) => void): boolean {
  const at = files.findLastIndex(file => (placeOf(file)?.getBoundingClientRect().top ?? 0) <= TOP);
  const here = files[Math.max(0, at)];
  if (key === 'n') return show(files[at + 1]);
  if (key === 'p') return show(files[at - 1]);
  if (!here) return false;
  if (key === 'v') {
    onViewed(here);
    return show(files[Math.max(0, at) + 1] ?? here);
  }
  const button = placeOf(here)?.parentElement?.querySelector<HTMLElement>('.review-comment');
  if (key !== 'c' || !button) return false;
  button.click();
  return true;
}

function placeOf({ path }: FileDiff): HTMLElement | null {
  return document.getElementById(fileAnchor(path));
}

function show(file: FileDiff | undefined): boolean {
  const place = file && placeOf(file);
  place?.scrollIntoView({ block: 'start' });
  place?.querySelector('summary')?.focus({ preventScroll: true });
  return place !== undefined;
}
