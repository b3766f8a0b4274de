import { startWidgetSite, type WidgetSite } from './harness.ts';

let site: WidgetSite;
beforeAll(async () => {
  site = await startWidgetSite();
}, 180_000);
afterAll(async () => site?.close());

describe('the tag alone', () => {
  it('answers a question on a page of another origin, with its sources', async () => {
    site.says({ text: 'Run `npm install acme`.' });
    const { page, complaints, hosts } = await site.visit();
    await page.getByRole('button', { name: 'Ask AI' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask the docs' });
    await dialog.getByLabel('Question').fill('How do I install it?');
    await page.keyboard.press('Enter');
    await dialog.locator('code').getByText('npm install acme').waitFor();
    const source = dialog.getByRole('list', { name: 'Sources' }).getByRole('link');
    await source.first().waitFor();
    expect(await source.first().getAttribute('href')).toMatch(
      /^https:\/\/docs\.acme\.test\/install/,
    );
    expect(complaints).toEqual([]);
    expect([...hosts].toSorted()).toEqual(
      [new URL(site.origin).host, new URL(site.assistant.url).host].toSorted(),
    );
    await page.screenshot({ path: '/tmp/w/first.png' });
  });
});
