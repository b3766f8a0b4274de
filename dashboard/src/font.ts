import address from './styles/font.css?url';

/** As `public/theme.js` reads it, before the first paint. */
const KEY = 'docent font';
const AFTER_MS = 1_000;

/**
 * Loads the font once the first page is shown: it costs that page nothing. On later visits it is
 * there from the start, out of the browser's cache.
 */
export function loadFontWhenIdle(): void {
  setTimeout(() => {
    if (!document.querySelector(`link[href="${address}"]`)) {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = address;
      document.head.append(link);
    }
    try {
      localStorage.setItem(KEY, address);
    } catch {
      // Storage is blocked: the font comes a moment later on every visit.
    }
  }, AFTER_MS);
}
