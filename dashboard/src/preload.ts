import { router } from './router.ts';

const AFTER_MS = 2_000;

/**
 * Loads the code of all pages once the first one is shown, so that a click while the server is away
 * still opens a page.
 */
export function preloadWhenIdle(): void {
  setTimeout(() => {
    for (const { options } of Object.values(router.routesById)) preloadPage(options);
    for (const load of [
      () => import('./components/text/markdown-rendered.tsx'),
      () => import('./components/overview/overview-charts.tsx'),
      () => import('./components/palette/palette.tsx'),
      () => import('./components/palette/shortcut-sheet.tsx'),
    ])
      load().catch(() => undefined);
  }, AFTER_MS);
}

/** The code of a route's page, if it comes by itself. */
export function preloadPage({ component }: { component?: unknown }): void {
  void (component as { preload?: () => Promise<void> } | undefined)?.preload?.();
}
