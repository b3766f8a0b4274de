import { router } from './router.ts';

const AFTER_MS = 2_000;

/**
 * Loads the code of all pages once the first one is shown, so that a click while the server is away
 * still opens a page.
 */
export function preloadWhenIdle(): void {
  setTimeout(() => {
    for (const { options } of Object.values(router.routesById)) {
      const { component } = options as { component?: { preload?: () => Promise<void> } };
      void component?.preload?.();
    }
    for (const load of [
      () => import('./components/text/markdown-rendered.tsx'),
      () => import('./components/overview/overview-charts.tsx'),
      () => import('./components/palette/palette.tsx'),
      () => import('./components/palette/shortcut-sheet.tsx'),
    ])
      load().catch(() => undefined);
  }, AFTER_MS);
}
