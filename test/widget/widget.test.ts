import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { siteHtml, startWidgetSite, styleOf, type WidgetSite } from './harness.ts';

let site: WidgetSite;
beforeAll(async () => {
  site = await startWidgetSite();
}, 180_000);
afterAll(async () => site?.close());

const QUESTION = 'How do I install it?';
const launcher = (page: Page) => page.getByRole('button', { name: 'Ask AI' });
const dialogOf = (page: Page) => page.getByRole('dialog');
/** Opens the dialog and asks. */
async function ask(page: Page, question = QUESTION): Promise<void> {
  if (!(await dialogOf(page).isVisible())) await launcher(page).click();
  await dialogOf(page).getByLabel('Question').fill(question);
  await page.keyboard.press('Enter');
}
/** A page of the site with that tag. */
function at(path: string, tag: string): string {
  site.pages.set(path, { html: siteHtml(tag) });
  return path;
}
/** In place of Docent, which drops links that the pages do not have. */
async function answerWith(page: Page, events: object[]): Promise<void> {
  await page.route('**/discovery/v2/assistant/acme/message', route =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      contentType: 'text/event-stream',
      body: events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''),
    }),
  );
}
/** What the last call of the model was given. */
const lastPrompt = () => JSON.stringify(site.assistant.model.requests.at(-1)!.body);

describe('the tag alone', () => {
  it('answers a question on a page of another origin, with its sources', async () => {
    site.says({ text: 'Run `npm install acme`.' });
    const { page, complaints, hosts } = await site.visit();
    await ask(page);
    const dialog = page.getByRole('dialog', { name: 'Ask the docs' });
    await dialog.locator('code').getByText('npm install acme').waitFor();
    const source = dialog.getByRole('list', { name: 'Sources' }).getByRole('link').first();
    await source.waitFor();
    expect(await source.getAttribute('href')).toMatch(/^https:\/\/docs\.acme\.test\/install/);
    expect(complaints).toEqual([]);
    expect([...hosts].toSorted()).toEqual(
      [new URL(site.origin).host, new URL(site.assistant.url).host].toSorted(),
    );
  });

  it('stores nothing before the first question, and keeps its root closed', async () => {
    const { page } = await site.visit('/', { closed: true });
    await page.waitForSelector('docent-assistant', { state: 'attached' });
    const state = await page.evaluate(`({
      root: document.querySelector('docent-assistant').shadowRoot,
      stored: localStorage.length + sessionStorage.length + document.cookie.length,
    })`);
    expect(state).toEqual({ root: null, stored: 0 });
  });

  it('marks an answer that cites no page', async () => {
    site.says({ text: 'I do not know.', cites: false });
    const { page } = await site.visit();
    await ask(page);
    await dialogOf(page).getByText('This answer cites no page of the docs.').first().waitFor();
    expect(await dialogOf(page).getByRole('list', { name: 'Sources' }).count()).toBe(0);
  });

  it('suggests pages that the answer does not cite, as links', async () => {
    site.says({ text: 'Run it.' });
    const { page } = await site.visit();
    await ask(page, 'install the pump with docker or pause a schedule');
    const links = dialogOf(page).getByRole('list', { name: 'See also' }).getByRole('link');
    await links.first().waitFor();
    expect(await links.first().getAttribute('href')).toMatch(/^https:\/\/docs\.acme\.test\//);
    expect(await dialogOf(page).getByText('suggestions').count()).toBe(0);
  });
});

describe('while typing', () => {
  it('shows pages, which the arrow keys reach, and answers on Enter', async () => {
    site.says({ text: 'Run `acme pause`.' });
    const { page } = await site.visit();
    await launcher(page).click();
    await page.keyboard.type('pause a schedule');
    const hits = dialogOf(page).getByRole('list', { name: 'Pages' }).getByRole('link');
    await hits.filter({ hasText: 'Schedules' }).waitFor();
    await dialogOf(page).getByRole('status').getByText('Pages found: 1').waitFor();
    expect(await hits.first().getAttribute('href')).toBe('https://docs.acme.test/schedule');
    const input = dialogOf(page).getByLabel('Question');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    expect(await hits.last().evaluate(link => link.matches(':focus'))).toBe(true);
    await page.keyboard.press('ArrowDown');
    expect(await input.evaluate(area => area.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await dialogOf(page).locator('code').getByText('acme pause').waitFor();
    expect(await hits.count()).toBe(0);
  });
});

describe('what the page knows', () => {
  it('sends the selected text once, and the page as the current path', async () => {
    site.says({ text: 'On a schedule.' });
    const { page } = await site.visit('/guides/pump');
    await launcher(page).waitFor();
    await page.evaluate('getSelection().selectAllChildren(document.querySelector("#text"))');
    await page.evaluate('DocentAssistant.open()');
    await dialogOf(page).getByText('The pump waters your plants on a schedule.').waitFor();
    await ask(page, 'What does this mean?');
    await dialogOf(page).getByText('On a schedule.', { exact: true }).first().waitFor();
    expect(lastPrompt()).toContain('The pump waters your plants on a schedule.');
    expect(lastPrompt()).toContain('/guides/pump');
    expect(await dialogOf(page).getByText('Selected text').isVisible()).toBe(false);
  });

  it('continues the conversation on the next page of the tab, until it is reset', async () => {
    site.says({ text: 'First.' });
    const { page } = await site.visit();
    await ask(page);
    await dialogOf(page).getByRole('button', { name: 'Helpful', exact: true }).waitFor();
    await page.goto(`${site.origin}/next`);
    await launcher(page).click();
    await dialogOf(page).getByText('First.', { exact: true }).first().waitFor();
    site.says({ text: 'Second.' });
    await ask(page, 'And then?');
    await dialogOf(page).getByText('Second.', { exact: true }).first().waitFor();
    expect(lastPrompt()).toContain('First.');
    await dialogOf(page).getByRole('button', { name: 'New conversation' }).click();
    expect(await dialogOf(page).getByText('Second.').count()).toBe(0);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('opens by a link, and asks once', async () => {
    site.says({ text: 'By a link.' });
    const { page } = await site.visit('/?x=1&assistant=How%20do%20I%20install%20it%3F#text');
    await dialogOf(page).getByText('By a link.').first().waitFor();
    expect(page.url()).toBe(`${site.origin}/?x=1#text`);
  });
});

describe('an answer', () => {
  it('stops, and can be asked for again', async () => {
    site.says({ text: 'One sentence. '.repeat(200), dripMs: 30, cites: false });
    const { page } = await site.visit();
    await ask(page);
    await dialogOf(page).getByText('One sentence.').first().waitFor();
    await dialogOf(page).getByRole('button', { name: 'Stop' }).click();
    await dialogOf(page).getByText('The answer was stopped.').first().waitFor();
    site.says({ text: 'All of it.' });
    await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
    await dialogOf(page).getByText('All of it.').first().waitFor();
    expect(await dialogOf(page).getByRole('heading', { name: QUESTION }).count()).toBe(1);
  });

  it('that fails says so, apart from what the assistant says', async () => {
    site.says({
      text: 'Half of',
      errorEventMidStream: { afterEvents: 3, type: 'overloaded_error' },
    });
    const { page } = await site.visit();
    await ask(page);
    await dialogOf(page).locator('.note').getByText('The assistant did not answer.').waitFor();
    expect(await dialogOf(page).getByRole('button', { name: 'Helpful', exact: true }).count()).toBe(
      0,
    );
  });

  it('that is cut off has failed, and a question is not lost while another is answered', async () => {
    const { page } = await site.visit();
    await answerWith(page, [{ type: 'text-delta', delta: 'Half of' }]);
    await ask(page);
    await dialogOf(page).locator('.note').getByText('The assistant did not answer.').waitFor();
    await page.unrouteAll();
    site.says({ text: 'One sentence. '.repeat(200), dripMs: 30, cites: false });
    await ask(page, 'And then?');
    await dialogOf(page).getByText('One sentence.').first().waitFor();
    await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
    expect(await dialogOf(page).getByRole('heading', { name: QUESTION }).count()).toBe(1);
  });

  it('comes although the hooks of the site throw', async () => {
    site.says({ text: 'Still here.' });
    const script = `<script src="${site.assistant.url}/widget.js"></script><script>{
      const event = () => { throw new Error('theirs') };
      DocentAssistant.init({ key: '${site.assistant.key}', domain: 'acme', hooks: { event } });
    }</script>`;
    const { page } = await site.visit(`${at('/throws', script)}?assistant=Install`);
    await dialogOf(page).getByText('Still here.').first().waitFor();
    await dialogOf(page).getByRole('button', { name: 'Ask', exact: true }).waitFor();
    expect(await page.locator('docent-assistant').count()).toBe(1);
  });

  it('is another reader’s if `fp` is', async () => {
    site.says({ text: 'For Ann alone.' });
    const { page } = await site.visit(at('/ann', site.tag({ 'data-fp': 'ann' })));
    await ask(page);
    await dialogOf(page).getByRole('button', { name: 'Helpful', exact: true }).waitFor();
    await page.goto(site.origin + at('/bob', site.tag({ 'data-fp': 'bob' })));
    await launcher(page).click();
    expect(await dialogOf(page).getByText('For Ann alone.').count()).toBe(0);
  });

  it('leads to the page that is open, without a modal on top', async () => {
    const { page } = await site.visit(at('/modal', site.tag({ 'data-variant': 'modal' })));
    const delta = 'See [this part](#text).';
    await answerWith(page, [{ type: 'text-delta', delta }, { type: 'finish' }]);
    await ask(page);
    const box = (await dialogOf(page).boundingBox())!;
    await page.mouse.move(box.x + 50, box.y + 90);
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    expect(await dialogOf(page).isVisible()).toBe(true);
    await dialogOf(page).getByRole('link', { name: 'this part' }).click();
    await dialogOf(page).waitFor({ state: 'hidden' });
  });

  it('is voted on, once, and the vote can be changed and taken back', async () => {
    site.says({ text: 'A good one.' });
    const { page } = await site.visit();
    await ask(page);
    const votes = async () =>
      (await site.assistant.pool.query<{ helpful: boolean }>('select helpful from answer_votes'))
        .rows;
    const press = async (name: string) => {
      await dialogOf(page).getByRole('button', { name, exact: true }).click();
      await page.waitForLoadState('networkidle');
      await sleep(100);
    };
    const before = (await votes()).length;
    await press('Helpful');
    await dialogOf(page).locator('.actions').getByText('Thank you').waitFor();
    expect((await votes()).slice(before)).toEqual([{ helpful: true }]);
    await press('Not helpful');
    expect((await votes()).slice(before)).toEqual([{ helpful: false }]);
    const down = dialogOf(page).getByRole('button', { name: 'Not helpful', pressed: true });
    await down.waitFor();
    await press('Not helpful');
    expect(await votes()).toHaveLength(before);
  });

  it('has code that can be copied', async () => {
    site.says({ text: 'Run:\n\n```sh\nacme pause\n```\n' });
    const { page } = await site.visit();
    await ask(page);
    await dialogOf(page).getByRole('button', { name: 'Copy' }).click();
    await dialogOf(page).getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('acme pause');
  });

  it('is read out by whole sentences, in one polite region', async () => {
    site.says({ text: 'The pump runs. It waters plants. And it rests', dripMs: 40 });
    const { page } = await site.visit();
    await ask(page);
    await dialogOf(page).getByRole('list', { name: 'Sources' }).waitFor();
    const status = dialogOf(page).getByRole('status');
    expect(await status.getAttribute('aria-atomic')).toBe('false');
    const said = await status.locator('p').allInnerTexts();
    expect(said.join(' ')).toContain('The pump runs. It waters plants. And it rests Sources: 1');
    for (const each of said.slice(0, -2)) expect(each).toMatch(/[.!?]$/);
    expect(await page.locator('[aria-live], [role=log], [role=alert]').count()).toBe(0);
  });
});

describe('the site’s options', () => {
  it('asks for consent before anything is sent, once', async () => {
    site.says({ text: 'Agreed.' });
    const path = at('/consent', site.tag({ 'data-consent-required': 'true' }));
    const { page, context } = await site.visit(`${path}?assistant=Install`);
    await dialogOf(page).getByRole('heading', { name: 'Before you ask' }).waitFor();
    expect(await dialogOf(page).getByLabel('Question').isVisible()).toBe(false);
    await dialogOf(page).getByRole('button', { name: 'Agree and continue' }).click();
    await dialogOf(page).getByText('Agreed.').first().waitFor();
    const again = await context.newPage();
    await again.goto(site.origin + path);
    await launcher(again).click();
    await dialogOf(again).getByLabel('Question').waitFor();
  });

  it('has the names that sites know', async () => {
    const tag = site.tag({
      'data-project-name': 'Acme',
      'data-project-color': '#ffd43b',
      'data-button-text': 'Ask Acme',
      'data-modal-disclaimer': 'No promises.',
      'data-modal-example-questions': 'How do I install it?,How do I pause it?',
      'data-modal-override-open-class': 'ask-me',
      'data-support-url': '/support',
      'data-labels': '{"placeholder": "Your question"}',
    });
    site.says({ text: 'From an example.' });
    const { page } = await site.visit(at('/options', tag));
    const button = page.getByRole('button', { name: 'Ask Acme' });
    await button.waitFor();
    // Black is read on yellow, white is not.
    expect(await styleOf(button, 'color')).toBe('rgb(0, 0, 0)');
    await page.getByRole('button', { name: 'Ask us' }).click();
    const dialog = page.getByRole('dialog', { name: 'Acme' });
    await dialog.getByText('No promises.').waitFor();
    await dialog.getByPlaceholder('Your question').waitFor();
    await dialog.getByRole('button', { name: 'How do I install it?' }).click();
    await dialog.getByText('From an example.').first().waitFor();
    await dialog.getByRole('list', { name: 'Sources' }).waitFor();
    const support = dialog.getByRole('link', { name: 'Contact support' });
    expect(await support.getAttribute('href')).toMatch(/^http:.*\/support\?threadId=thread_/);
  });

  it('reports what happens, without what was asked', async () => {
    site.says({ text: 'The answer.' });
    const { page } = await site.visit();
    await launcher(page).waitFor();
    await page.evaluate(`{
      window.events = [];
      addEventListener('docent-assistant', event => events.push(event.detail));
    }`);
    await ask(page);
    await dialogOf(page).getByRole('button', { name: 'Helpful', exact: true }).click();
    await dialogOf(page).locator('.actions').getByText('Thank you').waitFor();
    await page.keyboard.press('Escape');
    const events = await page.evaluate('events');
    expect(events).toEqual([
      { type: 'open' },
      { type: 'ask' },
      { type: 'answer', state: 'answered', sources: 1, ms: expect.any(Number) as number },
      { type: 'vote', helpful: true },
      { type: 'close' },
    ]);
  });

  it('can be changed, removed and started by the page’s scripts', async () => {
    site.says({ text: 'Asked by a script.' });
    const { page, complaints } = await site.visit(
      at('/script', `<script src="${site.assistant.url}/widget.js"></script>`),
    );
    expect(await page.locator('docent-assistant').count()).toBe(0);
    await page.evaluate(`(async () => {
      const options = { key: ${JSON.stringify(site.assistant.key)}, domain: 'acme' };
      await Promise.all([1, 2].map(() => DocentAssistant.init(options)));
      await DocentAssistant.ask('How do I install it?');
      await DocentAssistant.update({ language: 'de', variant: 'panel' });
      await DocentAssistant.open();
    })()`);
    await dialogOf(page).getByText('Asked by a script.').first().waitFor();
    await page.getByRole('dialog', { name: 'Die Dokumentation fragen' }).waitFor();
    await page.evaluate('DocentAssistant.destroy()');
    expect(await page.locator('docent-assistant').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
