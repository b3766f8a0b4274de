import type { Page } from 'playwright-core';
import { at, startUi, type Ui, type Visitor } from './harness.ts';

/** Nobody tabs further than this to what they look for. */
const MOST_TABS = 60;

let ui: Ui;
let member: Visitor;
beforeAll(async () => {
  ui = await startUi();
  member = await ui.signedIn('member', { viewport: { width: 1440, height: 900 } });
}, 180_000);
afterAll(async () => ui?.close());

/** Presses a key until what has the focus is called so, and is seen. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let i = 0; i < MOST_TABS; i++) {
    await page.keyboard.press(key);
    const focused = page.locator(':focus');
    const here = await focused.evaluateAll(([element]) => {
      const { labels } = (element ?? {}) as { labels?: { textContent: string }[] };
      const label = element?.getAttribute('aria-label') ?? labels?.[0]?.textContent;
      return (label ?? element?.textContent ?? '').replace(/\s+/g, ' ').trim();
    });
    passed.push(here);
    if (typeof name === 'string' ? here !== name : !name.test(here)) continue;
    expect(await focused.boundingBox()).not.toBeNull();
    return;
  }
  throw new Error(`${String(name)} is not among ${passed.join(' | ')}`);
}
const backTo = (page: Page, name: string) => tabTo(page, name, 'Shift+Tab');

it('a job is created, reviewed, commented on and merged by the keyboard alone', async () => {
  const { page, complaints } = member;
  const { keyboard } = page;
  await page.goto(at());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await keyboard.press('c');
  await page.locator('textarea:focus').waitFor();
  await keyboard.type('Rename "rocket" to "balloon" in docs/index.md');
  await keyboard.press('Control+Enter');
  await page.waitForURL(/\/jobs\/job_/);
  const [jobId = ''] = /job_\w+/.exec(page.url()) ?? [];
  await page.getByRole('link', { name: 'Review pull request #1' }).waitFor();
  await tabTo(page, 'Review pull request #1');
  await keyboard.press('Enter');
  await page.waitForURL(/\/pulls\/1/);

  await page.getByRole('region', { name: 'Changes in docs/index.md' }).waitFor();
  await tabTo(page, 'Page');
  await keyboard.press('Enter');
  await page.getByRole('insertion').getByText('balloon').waitFor();
  await backTo(page, 'Source');
  await keyboard.press('Enter');
  await tabTo(page, /^Comment on line/);
  await keyboard.press('Enter');
  await page.locator('textarea:focus').waitFor();
  await keyboard.type('Keep it short.');
  await tabTo(page, 'Add comment');
  await keyboard.press('Enter');
  const comments = page.getByRole('region', { name: 'Comments' });
  await comments.getByRole('heading', { name: '1 open comment' }).waitFor();
  await backTo(page, 'Request changes');
  await keyboard.press('Enter');
  await page.getByText('The comments were sent to the job as one follow-up.').waitFor();
  await ui.rest(jobId);

  await backTo(page, 'Merge');
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Merge into main?' }).waitFor();
  await tabTo(page, 'Merge');
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('merged', { exact: true }).first().waitFor();
  expect(ui.git('show', 'main:docs/index.md')).toContain('by balloon');
  const { rows } = await ui.pool.query('select prompt from instructions order by seq');
  expect(rows.at(-1)).toMatchObject({ prompt: expect.stringContaining('Keep it short.') });
  // The focus is not lost to the button that is gone.
  expect(await page.locator(':focus').count()).toBe(1);
  expect(complaints).toEqual([]);
}, 120_000);
