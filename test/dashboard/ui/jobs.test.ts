import { commitAs } from '../../support/person.ts';
import { startUi, at, type Ui, type Visitor } from './harness.ts';

let ui: Ui;
let member: Visitor;
beforeAll(async () => {
  ui = await startUi();
  member = await ui.signedIn('member');
}, 180_000);
afterAll(async () => ui?.close());

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const INSTRUCTION = 'Add a page docs/faq.md titled "FAQ" with the text "Ask away."';

describe('a job in the dashboard', () => {
  it('starts, is watched, takes a follow-up, and its pull request is merged', async () => {
    const { page, complaints } = member;
    await page.goto(at('/jobs'));
    await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    await page.getByRole('region', { name: 'command' }).getByText(ui.project.id).waitFor();
    await page.getByLabel('Instruction for the agent').fill(INSTRUCTION);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/jobs\/job_/);

    const log = page.getByRole('log', { name: 'What happened' });
    await log.getByText(INSTRUCTION).waitFor();
    await log.getByText('Create', { exact: true }).waitFor();
    await log.getByText('Pull request opened:').waitFor();
    await page.getByRole('link', { name: 'Review pull request #1' }).waitFor();
    await page
      .getByRole('complementary', { name: 'About this job' })
      .getByText('docent-offline')
      .waitFor();
    await page
      .getByRole('complementary', { name: 'About this job' })
      .getByText('Member Person')
      .waitFor();

    await log.getByText('Create', { exact: true }).click();
    await log.getByRole('region', { name: 'Edit' }).getByText('Ask away.').waitFor();
    const files = page.getByRole('region', { name: 'Changed files' });
    await files.getByRole('link', { name: 'docs/faq.md' }).waitFor();

    await page
      .getByLabel('Follow-up instruction')
      .fill('Append the line "We answer within a day." to docs/faq.md');
    const chosen = page.locator('.follow-up input[type=file]');
    const file = (name: string, bytes: Buffer) => ({ name, mimeType: 'image/png', buffer: bytes });
    await chosen.setInputFiles([file('menu.png', PNG), file('no.png', Buffer.from('a text'))]);
    const attached = page.locator('.follow-up .attached');
    await attached.getByText('no.png: The file is not a PNG').waitFor();
    await attached.getByRole('button', { name: 'Remove no.png' }).click();
    await attached.locator('.spinner').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send' }).click();
    await log.getByText('Pull request updated:').waitFor();
    await log.getByRole('list', { name: 'Attached images' }).getByText('menu.png').waitFor();
    expect(await attached.count()).toBe(0);

    await page.getByRole('link', { name: /^Changes/ }).click();
    const diff = page.getByRole('region', { name: 'Changes in docs/faq.md' });
    await diff.getByText('We answer within a day.').waitFor();
    await page.getByRole('button', { name: 'Unified' }).click();
    expect(await diff.locator('tr').first().locator('td').count()).toBeLessThan(4);
    await page.getByRole('button', { name: 'Side by side' }).click();

    await page.getByRole('link', { name: 'Pull requests' }).click();
    await page.getByRole('link', { name: /faq/i }).click();
    await page.getByText('Checks passed').waitFor();
    expect(await page.getByText('Made by Docent’s built-in offline model').count()).toBe(1);
    await page
      .getByRole('region', { name: 'Changes in docs/faq.md' })
      .getByText('Ask away.')
      .waitFor();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('merged', { exact: true }).first().waitFor();
    expect(ui.git('show', 'main:docs/faq.md')).toContain('We answer within a day.');
    expect(complaints).toEqual([]);
  }, 120_000);

  it('closes a pull request without merging', async () => {
    const { page } = member;
    const { id } = await ui.create('Set the description of docs/billing.md to "How to pay"');
    await ui.rest(id);
    await page.goto(at('/pulls'));
    await page.getByRole('link', { name: /billing/ }).click();
    await page.getByRole('button', { name: 'Merge' }).waitFor();
    expect(await page.getByText('conflicts with main').count()).toBe(0);
    commitAs(ui.repository, 'main', 'docs/billing.md', text =>
      text.replace('title: Billing', 'title: Bills'),
    );
    await page.reload();
    await page.getByText('conflicts with main in docs/billing.md').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close pull request' }).click();
    await page.getByText('closed', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Pull requests' }).first().click();
    await page.getByRole('heading', { name: 'No open pull requests' }).waitFor();
    await page.getByRole('link', { name: 'Closed' }).click();
    await page.getByRole('link', { name: /billing/ }).waitFor();
    expect(ui.git('show', 'main:docs/billing.md')).not.toContain('How to pay');
  }, 60_000);

  it('is found by status and words, which the address keeps', async () => {
    const { page } = member;
    await page.goto(at('/jobs'));
    await page.getByRole('link', { name: /faq/i }).waitFor();
    await page.getByLabel('Search jobs').fill('billing');
    await page.getByRole('link', { name: /faq/i }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('search=billing');
    await page.getByLabel('State').selectOption('failed');
    await page.getByRole('heading', { name: 'No jobs match' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'No jobs match' }).waitFor();
    expect(await page.getByLabel('Search jobs').inputValue()).toBe('billing');
    await page.getByRole('button', { name: 'Show all jobs' }).click();
    await page.getByRole('link', { name: /faq/i }).waitFor();
  }, 60_000);

  it('is archived, and then takes no follow-up', async () => {
    const { page } = member;
    await page.goto(at('/jobs?search=billing'));
    await page
      .getByRole('link', { name: /billing/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('This job is archived').waitFor();
    expect(await page.getByLabel('Follow-up instruction').count()).toBe(0);
  }, 60_000);

  it('shows its Temporal workflow and commands to owners only', async () => {
    const owner = await ui.signedIn('owner');
    await owner.page.goto(at('/jobs'));
    await owner.page.getByRole('link', { name: /faq/i }).click();
    await owner.page.getByRole('link', { name: 'Operate' }).click();
    const link = owner.page.getByRole('link', { name: 'Open history' });
    expect(await link.getAttribute('href')).toMatch(
      /^http:\/\/127\.0\.0\.1:8233\/namespaces\/default\/workflows\/job_/,
    );
    await owner.page.getByText('temporal workflow signal').first().waitFor();
    await member.page.goto(owner.page.url());
    await member.page.getByRole('link', { name: 'Conversation' }).waitFor();
    expect(await member.page.getByRole('link', { name: 'Operate' }).count()).toBe(0);
  }, 60_000);
});

describe('the browser app', () => {
  it('shows its plan, and carries it out once it is approved', async () => {
    const { page } = member;
    await page.goto(at('/jobs'));
    await page
      .getByLabel('Instruction for the agent')
      .fill('Add a page docs/plan.md titled "Plan" with the text "First this."');
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Wait for my approval of a plan').check();
    await page.getByRole('button', { name: 'Start job' }).click();
    const plan = page.getByRole('region', { name: 'Approve this plan?' });
    await plan.waitFor();
    const told = page.getByRole('main').getByText('docs/plan.md', { exact: true });
    expect(await told.count()).toBe(1);
    await page.getByText('needs approval').nth(1).waitFor(); // the job, and the plan in its story
    expect(await page.getByText('answered').count()).toBe(0);
    await plan.getByRole('button', { name: 'Approve' }).click();
    const log = page.getByRole('log', { name: 'What happened' });
    await log.getByText('Pull request opened:').waitFor();
    await plan.waitFor({ state: 'detached' });
    await log.getByText('approved', { exact: true }).waitFor();
    expect(await page.getByText('answered').count()).toBe(0);
  });

  it('keeps what was typed, opens pages while the server is away, and says so', async () => {
    const { page, context, complaints } = await ui.signedIn('member');
    const composer = page.getByLabel('Instruction for the agent');
    // As the app does when idle: the code of every page.
    const loaded = page.waitForResponse(response => response.url().includes('/assets/settings'));
    await page.goto(at('/jobs'));
    await composer.fill('Half a sentence');
    await loaded;
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    const connection = page.getByRole('status', { name: 'Connection' });
    await connection.getByText('Docent does not answer.').waitFor();
    await context.setOffline(false);
    await connection.getByText('The connection is back.').waitFor();
    await page.getByRole('table').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    expect(await composer.inputValue()).toBe('Half a sentence');
    await page.reload();
    expect(await composer.inputValue()).toBe('Half a sentence');
    expect(complaints.filter(each => !/ERR_INTERNET_DISCONNECTED/.test(each))).toEqual([]);
    await context.close();
  }, 60_000);

  it('says in the frame that a page’s code did not come, and that an address has no page', async () => {
    const { page, context } = await ui.signedIn('member');
    await page.route('**/assets/questions*', route => route.abort());
    await page.goto(at('/jobs'));
    await page.getByLabel('Instruction for the agent').fill('Half a sentence');
    await page.getByRole('link', { name: 'Questions' }).click();
    await page.getByText('The code of this page could not be loaded.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Questions' }).waitFor();
    await page.unroute('**/assets/questions*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Questions' }).waitFor();

    await page.goto(at('/no-such-page'));
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).waitFor();
    const answer = await page.goto('/nope');
    expect(answer?.status()).toBe(404);
    await page.getByRole('link', { name: 'Go to the dashboard' }).waitFor();
    await context.close();
  }, 60_000);

  it('asks before unsaved settings are left', async () => {
    const { page, context } = await ui.signedIn('owner');
    await page.goto(at('/settings'));
    await page.getByLabel('Name', { exact: true }).fill('Acme documents');
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme documents');
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await context.close();
  }, 60_000);

  it('gives each job a line of 36 pixels on a laptop', async () => {
    await ui.pool.query(
      `insert into jobs select (jsonb_populate_record(null::jobs, to_jsonb(j) || jsonb_build_object(
          'id', 'job_copy' || copy, 'branch', 'docent/copy-' || copy))).*
         from (select * from jobs order by created_at limit 1) j, generate_series(1, 25) copy`,
    );
    const laptop = await ui.signedIn('member', { viewport: { width: 1440, height: 900 } });
    await laptop.page.goto(at('/jobs'));
    const rows = laptop.page.getByRole('region', { name: 'Jobs' }).getByRole('listitem');
    await rows.nth(24).waitFor();
    const boxes = await Promise.all([0, 12, 24].map(async row => rows.nth(row).boundingBox()));
    const heights = boxes.map(box => Math.round(box?.height ?? 0));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(34);
    expect(Math.max(...heights)).toBeLessThanOrEqual(38);
    await laptop.context.close();
  }, 60_000);
});
