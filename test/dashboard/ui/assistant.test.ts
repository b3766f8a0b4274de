import { readFileSync } from 'node:fs';
import { indexSite } from './fill.ts';
import { at, startUi, type Ui, type Visitor } from './harness.ts';

let ui: Ui;
let member: Visitor;
beforeAll(async () => {
  ui = await startUi();
  member = await ui.signedIn('member');
  await indexSite(ui, member.page);
}, 180_000);
afterAll(async () => ui?.close());

const GAP = 'Which moons does the rocket reach?';

describe('the assistant in the dashboard', () => {
  it('answers in the playground through the chat SDK’s hook, with sources', async () => {
    const { page, complaints } = member;
    await page.goto(at('/playground'));
    const ask = async (text: string) => {
      const sent = page.waitForRequest(
        request => request.url().endsWith('/assistant') && request.method() === 'POST',
      );
      await page.getByLabel('Question').fill(text);
      await page.getByRole('button', { name: 'Ask' }).click();
      return (await sent).postDataJSON() as {
        threadId?: string;
        messages: unknown[];
      };
    };
    await ask('How do I return a parcel?');
    const log = page.getByRole('log', { name: 'Conversation' });
    await log.locator('.prose').getByText('within 30 days').waitFor();
    await log
      .getByRole('list', { name: 'Sources' })
      .getByText(/Return a parcel/)
      .waitFor();
    await log.getByText(/Searched/).click();
    await log.getByText('deliveries', { exact: false }).first().waitFor();
    await page.getByRole('heading', { name: 'Raw stream' }).click();
    await page.getByRole('region', { name: 'Raw stream' }).getByText('[DONE]').waitFor();

    const second = await ask(GAP);
    expect(second.threadId).toBeTruthy();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    expect(await log.getByRole('list', { name: 'Sources' }).count()).toBe(1);
    await page.getByText(/1,000 questions cost .*2 questions of the last 30 days/).waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('Ask something that your docs answer').waitFor();
    expect(complaints).toEqual([]);
  }, 90_000);

  it('lists what was asked, and starts a job for what the docs do not answer', async () => {
    const { page, complaints } = member;
    await page.getByRole('link', { name: 'Questions' }).click();
    await page.getByRole('heading', { name: GAP }).waitFor();
    expect(await page.getByRole('heading', { name: 'How do I return a parcel?' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Answered', exact: true }).click();
    await page.getByRole('heading', { name: 'How do I return a parcel?' }).waitFor();
    await page.getByRole('list', { name: 'Sources' }).first().waitFor();
    await page.getByText('The assistant’s answer').first().click();
    await page.getByText('within 30 days').waitFor();
    await page.getByLabel('Search questions').fill('nothing like it');
    await page.getByRole('heading', { name: 'No questions match' }).waitFor();

    await page.goto(at('/questions'));
    await page.getByText('The offline model cannot').waitFor();
    await page.getByRole('button', { name: `Start a job that answers this: ${GAP}` }).click();
    await page.waitForURL(/\/jobs\/job_/);
    await page.getByRole('heading', { level: 1, name: `A reader asked: ${GAP}` }).waitFor();
    await page.getByRole('log').getByText(GAP).first().waitFor();
    await page.goto(at('/questions'));
    await page.getByRole('link', { name: 'A job was started for this' }).waitFor();
    await page.getByRole('button', { name: `Dismiss: ${GAP}` }).click();
    await page.getByRole('heading', { name: GAP }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: `Resolve by a page: ${GAP}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Resolve by a page' });
    await dialog.getByLabel('Page').fill('/nowhere');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByText('Must be the path of a page').waitFor();
    await dialog.getByLabel('Page').fill('/deliveries');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('link', { name: 'Closed', exact: true }).click();
    await page.getByRole('link', { name: 'Resolved by /deliveries' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    expect(complaints).toEqual([]);
  }, 90_000);

  it('shows what readers thought of answers, and reports a period', async () => {
    const { page, complaints } = member;
    await ui.pool.query(
      `insert into answer_votes (thread_id, message_id, helpful, comment)
       select thread_id, answer_id, false, 'The label is missing.' from questions where answered`,
    );
    await ui.pool.query(
      `insert into searches_without_hits (project_id, query, times) values ($1, 'zeppelin', 3)`,
      [ui.project.id],
    );
    await page.goto(at('/questions?show=answered'));
    await page.getByText('1 not helpful').waitFor();
    await page.getByText('What readers said of the answers').click();
    await page.getByText('The label is missing.').waitFor();
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    const rowOf = (section: string, name: RegExp) =>
      page.getByRole('region', { name: section }).getByRole('row', { name });
    await rowOf('Asked most', /How do I return a parcel\? 1 0 1 0 1$/).waitFor();
    await rowOf('Cited pages', /^Deliveries.* 1 0 1$/).waitFor();
    await rowOf('Searches without a hit', /^zeppelin 3$/).waitFor();
    expect(await page.getByRole('link', { name: /as CSV/ }).count()).toBe(0);
    const owner = await ui.signedIn('owner');
    await owner.page.goto(at('/questions?show=report'));
    await owner.page.getByRole('button', { name: '7 days' }).click();
    const saving = owner.page.waitForEvent('download');
    await owner.page.getByRole('link', { name: 'Download groups as CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^groups-.*\.csv$/);
    expect(readFileSync(await saved.path(), 'utf8')).toMatch(
      /,How do I return a parcel\?,1,0,1,0,1,/,
    );
    expect([...complaints, ...owner.complaints]).toEqual([]);
  }, 90_000);

  it('shows its use against the limits, and over time', async () => {
    const { page } = member;
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Organization, this hour' }).waitFor();
    await page.getByText('9,998', { exact: true }).first().waitFor();
    const meter = page.getByRole('meter', { name: 'Organization, this hour' });
    expect([
      await meter.getAttribute('aria-valuenow'),
      await meter.getAttribute('aria-valuemax'),
    ]).toEqual(['2', '10000']);
    const chart = page.getByRole('figure', { name: 'Questions' });
    await chart.getByRole('group', { name: /^Questions by day/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await chart
      .getByRole('status')
      .getByText(/1 unanswered$/)
      .waitFor();
    await chart.getByText('As a table').click();
    const asked = page.getByRole('table', { name: 'Questions by day' });
    expect((await asked.getByRole('row').last().innerText()).split(/\s+/).slice(-2)).toEqual([
      '1',
      '1',
    ]);
    await page.getByRole('button', { name: '7 days' }).click();
    await page.waitForURL(/days=7/);
    await page
      .getByRole('table', { name: 'Jobs by day', includeHidden: true })
      .getByRole('row', { includeHidden: true })
      .nth(1)
      .waitFor({ state: 'attached' });
  }, 60_000);
});
