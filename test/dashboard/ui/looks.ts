import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Ui } from './harness.ts';

const SIZES = {
  wide: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};
type ContextOptions = NonNullable<Parameters<Ui['visitor']>[0]>;

export interface Look {
  page: Page;
  size: keyof typeof SIZES;
  /** Takes a picture of the whole page into the folder, under that name and the look's. */
  shoot(name: string): Promise<void>;
}

/**
 * Opens a page in both themes at three widths, one after the other; `options` are those of its
 * browser context.
 */
export async function inEveryLook(
  ui: Ui,
  folder: string,
  options: ContextOptions,
  work: (look: Look) => Promise<void>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const size of ['wide', 'tablet', 'phone'] as const) {
      const { page, context } = await ui.visitor({
        ...options,
        colorScheme,
        viewport: SIZES[size],
      });
      await work({
        page,
        size,
        async shoot(name) {
          // A live stream never idles.
          await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
          await page.screenshot({
            path: join(folder, `${name}-${size}-${colorScheme}.png`),
            fullPage: true,
          });
        },
      });
      await context.close();
    }
  }
}
