import { seriousFindings } from './axe.ts';
import { startUi, at, type Ui, type Visitor } from './harness.ts';

let ui: Ui;
let member: Visitor;
beforeAll(async () => {
  ui = await startUi();
  member = await ui.signedIn('member');
  for (const prompt of [
    'Set the description of docs/billing.md to "How to pay"',
    'Set the description of docs/deliveries.md to "Where is it"',
  ]) {
    const { id } = await ui.create(prompt);
    await ui.rest(id);
  }
}, 240_000);
afterAll(async () => ui?.close());

describe('finding things', () => {
  it('works by the keyboard alone: palette, shortcuts and their sheet', async () => {
    const { page, complaints } = member;
    await page.goto(at());
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Find anything' });
    await palette.getByRole('combobox').fill('billing');
    await palette.getByRole('option', { name: /billing.*Job, open/ }).waitFor();
    await palette.getByRole('option', { name: /billing.*Pull request #1/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/jobs\/job_/);

    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('#2');
    await palette.getByRole('option', { name: /Pull request #2/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/pulls\/2$/);

    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.getByRole('heading', { level: 1, name: 'Questions' }).waitFor();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
    await sheet.getByText('Open Pull requests').waitFor();
    await sheet.getByLabel('Shortcuts without Ctrl are on').uncheck();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    expect(page.url()).toContain('/questions');
    await page.keyboard.press('Escape');
    await page.evaluate('localStorage.clear()');
    await page.keyboard.press('c');
    await page.waitForURL(/\/jobs$/);
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('? is typed, not a shortcut');
    expect(await page.getByLabel('Instruction for the agent').inputValue()).toMatch(/^\? is typed/);
    expect(complaints).toEqual([]);
  }, 90_000);

  it('leads from one pull request to the next, each with marks of its own', async () => {
    const { page } = member;
    const open = async (number: number) => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Find anything' });
      await palette.getByRole('combobox').fill(`#${number}`);
      await palette.getByRole('option', { name: new RegExp(`Pull request #${number}`) }).click();
      await page.waitForURL(new RegExp(`/pulls/${number}$`));
    };
    await page.goto(at('/pulls/1'));
    await page.getByRole('button', { name: /^Viewed: / }).click();
    await page.getByText('1 of 1 viewed').waitFor();
    await open(2);
    await page.getByText('0 of 1 viewed').waitFor();
    await open(1);
    await page.getByText('1 of 1 viewed').waitFor();
  }, 90_000);

  it('filters the jobs of all projects, kept in the address, and archives several', async () => {
    const { page, complaints } = member;
    await page.goto('/dashboard/acme/-/jobs');
    const jobs = page.getByRole('region', { name: 'Jobs' });
    await jobs.getByRole('link', { name: /billing/ }).waitFor();
    await page.getByLabel('Pull request number').fill('2');
    await jobs.getByRole('link', { name: /billing/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Started by').selectOption({ label: 'A script, with a key' });
    await page.getByLabel('State').selectOption('merged');
    await page.getByRole('heading', { name: 'No jobs match' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'No jobs match' }).waitFor();
    expect(new URL(page.url()).searchParams.get('person')).toBe('key');
    await page.getByRole('button', { name: 'Show all jobs' }).click();
    await page.getByLabel('From').fill('2020-01-01');
    await jobs.getByRole('checkbox').nth(1).waitFor();
    for (const box of await jobs.getByRole('checkbox').all()) await box.check();
    await page.getByRole('button', { name: 'Archive the chosen jobs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('status', { name: 'Messages' }).getByText('2 jobs archived.').waitFor();
    await jobs.getByText('archived').nth(1).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  }, 60_000);
});
