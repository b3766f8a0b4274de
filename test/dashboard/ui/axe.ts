import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Until all of it is painted anew, after a change of theme too, and no colour is on its way to
 * another.
 */
const SETTLED = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.allSettled(document.getAnimations()
    .filter(each => each.effect.getTiming().iterations !== Infinity)
    .map(each => each.finished)))
  .then(() => undefined)`;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious findings, one line each; of all rules, or of some. */
export function seriousFindings(page: Page, rules: string[] = []): Promise<string[]> {
  return findings(page, rules, ['serious', 'critical']);
}

/**
 * Findings of some levels, or of all. The policy lets no script in from a page; Playwright's own
 * world is not the page's.
 */
export async function findings(
  page: Page,
  rules: string[] = [],
  levels = ['minor', 'moderate', 'serious', 'critical'],
): Promise<string[]> {
  await page.evaluate(SETTLED);
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    runOnly =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        ...(runOnly.length > 0 && { runOnly }),
        resultTypes: ['violations'], // to describe all that passes takes most of the time
      }),
    rules,
  );
  return violations
    .filter(({ impact }) => levels.includes(impact ?? 'minor'))
    .flatMap(({ id, nodes }) =>
      nodes.map(
        node =>
          `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1]?.trim() ?? ''}`,
      ),
    );
}

/** As `seriousFindings`, in both themes. */
export async function findingsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    let serious = await seriousFindings(page);
    if (serious.length > 0) {
      // A busy machine applies a theme in parts. Real findings remain.
      await page.waitForTimeout(1_000);
      serious = await seriousFindings(page);
    }
    found.push(...serious);
  }
  return found;
}
