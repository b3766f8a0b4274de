import { useNavigate, type UseNavigateResult } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { isTyping, showOverlay, singleKeysAreOn, useOverlay } from '../data/palette.ts';
import { usePlace } from '../data/place.ts';
import { newJob } from './new-job.ts';
import { PROJECT_PAGES } from './page-lists.ts';

const Palette = lazy(async () => ({
  default: (await import('../components/palette/palette.tsx')).Palette,
}));
const ShortcutSheet = lazy(async () => ({
  default: (await import('../components/palette/shortcut-sheet.tsx')).ShortcutSheet,
}));

/** How long the second key of a pair may take. */
const PAIR_MS = 1_500;

/** Listens for shortcuts, and shows the palette and the sheet. */
export function Shortcuts() {
  const overlay = useOverlay();
  const { organization, project } = usePlace();
  const navigate = useNavigate();
  const slug = organization?.slug;
  const domain = project?.domain;
  useEffect(() => {
    const params = slug !== undefined && domain !== undefined && { organization: slug, domain };
    return listen(slug !== undefined, key => {
      if (params) openPage(navigate, params, key);
    });
  }, [slug, domain, navigate]);
  return (
    <Suspense>
      {overlay === 'palette' && organization && (
        <Palette organization={organization} project={project} />
      )}
      {overlay === 'shortcuts' && <ShortcutSheet />}
    </Suspense>
  );
}

/** Calls `open` with the key after g, and with `c`. */
function listen(hasPalette: boolean, open: (key: string) => void): () => void {
  let begunAt = 0;
  const single: Record<string, () => void> = {
    '?': () => showOverlay('shortcuts'),
    '/': focusSearch,
    c: () => open('c'),
    g: () => {
      begunAt = Date.now();
    },
  };
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      if (!hasPalette || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      showOverlay('palette');
      return;
    }
    if (ctrlKey || metaKey || altKey || isTyping(event) || !singleKeysAreOn()) return;
    const isSecond = Date.now() - begunAt < PAIR_MS;
    begunAt = 0;
    const act = isSecond ? () => open(`g ${key}`) : single[key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

function focusSearch(): void {
  const box = document.querySelector<HTMLElement>('main input[type="search"]');
  if (box) box.focus();
  else showOverlay('palette');
}

function openPage(
  navigate: UseNavigateResult<string>,
  params: { organization: string; domain: string },
  key: string,
): void {
  if (key === 'c') {
    void newJob(navigate, params);
    return;
  }
  const page = PROJECT_PAGES.find(each => `g ${each.key}` === key);
  if (page) void navigate({ to: page.to, params: { ...params, _splat: '' } });
}
