import { commitAs } from '../../support/person.ts';
import { findingsInBothThemes } from './axe.ts';
import { at, startUi, type Ui, type Visitor } from './harness.ts';

const PAGES = 26;
let ui: Ui;
let member: Visitor;
beforeAll(async () => {
  ui = await startUi({
    files: {
      'docs/index.md':
        '---\ntitle: Welcome\n---\n\nAcme sends parcels by rocket to every moon.\n\n' +
        'A last paragraph.\n<img src=x onerror="ran=1">' +
        `${' As long as a paragraph.'.repeat(30)}\n\n` +
        Array.from({ length: 30 }, (_, i) => `Line ${i + 1}.\n`).join('') +
        'The end of the page.\n' +
        Array.from({ length: 6 }, (_, i) => `\nMore, part ${i + 1}.\n`).join(''),
      ...Object.fromEntries(
        Array.from({ length: PAGES }, (_, i) => [
          `docs/guides/page-${i + 10}.md`,
          `---\ntitle: Page ${i + 10}\n---\n\nA parcel is sent.\n`,
        ]),
      ),
    },
  });
  member = await ui.signedIn('member', { viewport: { width: 1440, height: 900 } });
}, 180_000);
afterAll(async () => ui?.close());

describe('the review of a pull request', () => {
  it('shows the page as it becomes, with changes marked in the text', async () => {
    const { page, complaints } = member;
    const { id } = await ui.create('Rename "rocket" to "balloon" in docs/index.md');
    await ui.rest(id);
    await page.goto(at('/pulls/1'));
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    const shown = page.getByRole('region', { name: 'Page docs/index.md' });
    await shown.getByRole('insertion').getByText('balloon').waitFor();
    await shown.getByRole('deletion').getByText('rocket').waitFor();
    await shown.getByText('A last paragraph.').waitFor();
    expect(await shown.getByRole('insertion').allInnerTexts()).toEqual(['balloon']);
    expect(await shown.getByText('More, part 3.').count()).toBe(0);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await shown.getByRole('button', { name: /^Show \d+ unchanged blocks$/ }).click();
    await shown.getByText('More, part 3.').waitFor();
    await page.getByRole('button', { name: 'Source', exact: true }).click();
    const source = page.getByRole('region', { name: 'Changes in docs/index.md' });
    await source.locator('.token-name, .token-keyword').first().waitFor(); // front matter
    expect(await source.getByText('The end of the page').count()).toBe(0);
    await source.getByRole('button', { name: 'Show the lines below' }).click();
    await source.getByText('The end of the page').first().waitFor();
    expect(await source.getByText('Line 30.').count()).toBe(2); // before and after
    await source.getByRole('button', { name: 'Show 1 line' }).click();
    expect(await source.getByText('---').count()).toBe(4);
    expect(await source.getByRole('button', { name: /^Show/ }).count()).toBe(0);
    expect(await findingsInBothThemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
  }, 120_000);

  it('shows people with its link the same, but nothing to write and no more of the site', async () => {
    await member.page.goto(at('/pulls/1'));
    const link = await member.page.getByText(/\/pulls\/[\w-]{22}$/).innerText();
    const { page, complaints, context } = await ui.visitor({
      viewport: { width: 1440, height: 900 },
    });
    await page.goto(new URL(link).pathname);
    const source = page.getByRole('region', { name: 'Changes in docs/index.md' });
    await source.getByRole('insertion').or(source.locator('mark')).getByText('balloon').waitFor();
    expect(await source.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Comment|Merge|Close/ }).count()).toBe(0);
    expect(await findingsInBothThemes(page)).toEqual([]);
    const asked: string[] = [];
    page.on('request', request => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    const shown = page.getByRole('region', { name: 'Page docs/index.md' });
    await shown.getByRole('insertion').getByText('balloon').waitFor();
    expect(await shown.getByText('The end of the page').count()).toBe(0);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect(await findingsInBothThemes(page)).toEqual([]);
    expect(asked.filter(path => !path.startsWith('/dashboard/assets/'))).toEqual([
      `${new URL(link).pathname}/pages`,
    ]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(complaints).toEqual([]);
    await context.close();
  }, 60_000);

  it('sends the comments on lines and passages to the job as one follow-up', async () => {
    const { page, complaints } = member;
    await page.goto(at('/pulls/1'));
    await page
      .getByRole('button', { name: /^Comment on line/ })
      .last()
      .click();
    await page
      .getByRole('textbox', { name: /^Comment on line/ })
      .fill('Append the line "By hand." to docs/index.md');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    const shown = page.getByRole('region', { name: 'Page docs/index.md' });
    await shown.getByText('Acme sends parcels by').selectText();
    const write = page.getByRole('button', { name: /^Comment on docs/ });
    await write.click();
    // Between the passage and what follows it.
    await shown.getByRole('textbox', { name: 'Comment', exact: true }).fill('Keep it short.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    const thread = shown
      .getByRole('region', { name: /^Thread by/ })
      .filter({ hasText: 'Keep it short.' });
    await thread.getByRole('button', { name: /^Reply to the comment/ }).click();
    await thread.getByRole('textbox', { name: /^Reply to/ }).fill('Or *very* short.');
    await thread.getByRole('button', { name: 'Reply', exact: true }).click();
    await thread.getByRole('button', { name: 'Edit the comment: Or *very* short.' }).click();
    await thread.getByRole('textbox', { name: 'Edit the comment' }).fill('Or _rather_ short.');
    await thread.getByRole('textbox').press('Control+Enter');
    await thread.getByRole('emphasis').getByText('rather').waitFor();
    await thread.getByText('edited').waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    const comments = page.getByRole('region', { name: 'Comments' });
    await comments.getByRole('heading', { name: '3 open comments' }).waitFor();
    await write.click();
    await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('Not done');
    await page.reload();
    await page.getByText('Keep it short.').waitFor();
    const typed = page.getByRole('textbox', { name: 'Comment', exact: true });
    await typed.press('Escape');
    expect(await typed.inputValue()).toBe('Not done');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const colleague = await ui.signedIn('viewer', { viewport: { width: 1440, height: 900 } });
    await colleague.page.goto(at('/pulls/1'));
    await colleague.page.getByText('Keep it short.').waitFor();
    await colleague.page
      .getByRole('region', { name: 'Changes in docs/index.md' })
      .getByText('Append the line "By hand."')
      .waitFor();
    expect(
      await colleague.page
        .getByRole('button', { name: /^(?:Request|Approve|Reply|Resolve|Delete)/ })
        .count(),
    ).toBe(0);
    expect(await findingsInBothThemes(page)).toEqual([]);
    await colleague.context.close();
    await comments.getByRole('button', { name: 'Approve' }).click();
    await comments.getByText('approved').waitFor();
    await comments.getByRole('button', { name: 'Request changes' }).click();
    await comments.getByText('changes requested').waitFor();
    await page.getByText('The comments were sent to the job as one follow-up.').waitFor();
    await page.getByRole('link', { name: 'Conversation and follow-ups' }).click();
    const log = page.getByRole('log', { name: 'What happened' });
    await log
      .getByText(/^Change the pull request as these review comments ask/)
      .first()
      .waitFor();
    await log.getByText('Keep it short.').first().waitFor();
    expect(complaints).toEqual([]);
  }, 120_000);

  it('offers to do it again where the base has moved on', async () => {
    const { page } = member;
    commitAs(ui.repository, 'main', 'docs/index.md', text => text.replace('rocket', 'train'));
    await page.goto(at('/pulls/1'));
    await page.getByText('conflicts with main in docs/index.md').waitFor();
    await page.getByRole('button', { name: 'Do it again on the current base' }).click();
    await page.waitForURL(/\/jobs\/job_/);
    await page
      .getByRole('log', { name: 'What happened' })
      .getByText('Rename "rocket" to "balloon" in docs/index.md')
      .first()
      .waitFor();
  }, 60_000);

  it('opens 26 files, folds them at once, and goes through them by keys, with marks that stay', async () => {
    const { page, complaints } = member;
    const { id } = await ui.create('Rename "parcel" to "package" in docs/guides');
    await ui.rest(id);
    const { prLink } = await ui.job(id);
    expect(prLink).toBeTruthy();
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto(at('/pulls'));
    const title = page.getByRole('link', { name: /parcel/ });
    // Neither its branch nor the pages above the account leave it without room.
    expect((await title.boundingBox())?.width).toBeGreaterThan(200);
    const account = await page.getByRole('button', { name: /account$/ }).boundingBox();
    expect(account && account.y + account.height).toBeLessThanOrEqual(768);
    await page.setViewportSize({ width: 1440, height: 900 });
    await title.click();
    await page.getByText(`${PAGES} files changed`).waitFor();
    await page.getByRole('button', { name: 'Source', exact: true }).click();
    const changes = page.getByRole('region', { name: /^Changes in/ });
    await changes.nth(PAGES - 1).waitFor();
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await changes.first().waitFor({ state: 'detached' });
    await page
      .getByText('A package is sent.')
      .nth(PAGES - 1)
      .waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Expand all' }).click();
    await changes.nth(PAGES - 1).waitFor();
    const focused = () =>
      page.evaluate<string>('document.activeElement?.closest("details")?.id ?? ""');
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    expect(await focused()).toContain('page-11.md');
    await page.keyboard.press('p');
    expect(await focused()).toContain('page-10.md');
    await page.keyboard.press('c');
    const form = page.getByRole('textbox', { name: 'Comment', exact: true });
    await form.fill('It is **one** parcel.');
    await form.press('Control+Enter');
    await page.getByRole('heading', { name: '1 open comment' }).waitFor();
    await page.locator('.comment strong').getByText('one', { exact: true }).first().waitFor();
    await page
      .getByRole('button', { name: /^Delete the comment/ })
      .first()
      .click();
    await page.getByRole('heading', { name: '1 open comment' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'page-10.md' }).first().click();
    await page.keyboard.press('v');
    await page.getByText(`1 of ${PAGES} viewed`).waitFor();
    expect(await focused()).toContain('page-11.md');
    await page.reload();
    await page.getByText(`1 of ${PAGES} viewed`).waitFor();
    await page
      .getByRole('navigation', { name: 'Changed files' })
      .getByRole('link', { name: 'page-12.md' })
      .click();
    await page.getByRole('region', { name: 'Changes in docs/guides/page-12.md' }).waitFor();
    expect(complaints).toEqual([]);
  }, 120_000);
});
