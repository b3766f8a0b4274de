import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findingsInBothThemes } from './axe.ts';
import { indexSite } from './fill.ts';
import { at, startUi, type Ui, type Visitor } from './harness.ts';

const PICTURES = process.env['WIDGET_PICTURES'];

let ui: Ui;
let member: Visitor;
beforeAll(async () => {
  ui = await startUi();
  member = await ui.signedIn('member');
  await indexSite(ui, member.page);
}, 180_000);
afterAll(async () => ui?.close());

it('sets up the widget with a preview that answers, and gives the lines for each site', async () => {
  const { page, complaints } = member;
  await page.goto(at());
  await page.getByRole('link', { name: 'Widget', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Widget' }).waitFor();
  await page.getByText('There is no assistant key yet.').waitFor();
  await page.getByLabel('Assistant key').fill('svc_dsc_mine');
  await page.getByLabel('Look').selectOption('panel');
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await page.getByLabel('Button').fill('Ask "Acme"');
  const snippet = page.getByRole('region', { name: 'tag' });
  expect(await snippet.innerText()).toBe(
    `<script async
  src="${ui.baseUrl}/widget.js"
  data-key="svc_dsc_mine"
  data-domain="acme"
  data-variant="panel"
  data-language="de"
  data-button-text="Ask &quot;Acme&quot;"></script>`,
  );
  for (const [name, part] of [
    ['Docusaurus', '"data-language": "de",'],
    ['MkDocs', '{% block scripts %}'],
    ['VitePress', "['script', {"],
    ['Starlight', "tag: 'script'"],
    ['docs.json', 'setAttribute'],
    ['Hugo', '<script async'],
    ['Sphinx', 'html_js_files'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click();
    expect(await snippet.innerText()).toContain(part);
    expect(await snippet.innerText()).toContain('svc_dsc_mine');
  }
  await page.getByRole('region', { name: 'policy' }).getByText('script-src').waitFor();
  expect(await page.getByRole('region', { name: 'MCP address', exact: true }).innerText()).toBe(
    `${ui.baseUrl}/discovery/v1/mcp/acme`,
  );

  const preview = page.getByRole('group', { name: 'Preview' });
  await preview.locator('docent-assistant').waitFor({ state: 'attached' });
  const root = (await preview.boundingBox())!;
  // Its root is closed: it is used as a person does, by eyes and keys.
  await page.evaluate('DocentAssistant.ask("How do I return a parcel?")');
  const stored = await page.evaluate<string>(
    'sessionStorage.getItem(Object.keys(sessionStorage).find(key => key.startsWith("docent:acme:")))',
  );
  expect(JSON.parse(stored)).toMatchObject({
    turns: [{ state: 'answered', answer: expect.stringContaining('30 days') as string }],
  });
  expect(root.height).toBeGreaterThan(600);
  if (PICTURES) {
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, 'dashboard-page.png'), fullPage: true });
  }
  expect(await findingsInBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  await page.locator('docent-assistant').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
}, 120_000);

it('names the origin that a key lacks', async () => {
  const owner = await ui.signedIn('owner');
  const { page } = owner;
  const { id } = ui.project;
  await ui.pool.query('update projects set site_url = $2 where id = $1', [
    id,
    'https://docs.acme.test/guide/',
  ]);
  await page.goto(at('/keys'));
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Old site');
  await dialog.getByLabel('Allowed origins').fill('https://old.acme.test');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'Widget', exact: true }).click();
  await page.getByText('add https://docs.acme.test to its allowed origins').waitFor();
}, 60_000);
