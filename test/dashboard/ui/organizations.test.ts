import { PASSWORD, startUi, type Ui, type Visitor } from './harness.ts';

let ui: Ui;
let owner: Visitor;
beforeAll(async () => {
  ui = await startUi({ noWorker: true });
  owner = await ui.signedIn('owner');
}, 180_000);
afterAll(async () => ui?.close());

it('a second organization is made as the docs say, and sees nothing of the first', async () => {
  const { page, complaints } = owner;
  await page.getByRole('button', { name: /^Owner Person.*account$/ }).click();
  await page.getByRole('link', { name: 'Organizations' }).click();
  await page.getByRole('button', { name: 'New organization' }).click();
  await page.getByLabel('Name').fill('Beta Ltd');
  await page.getByLabel('Slug').fill('beta');
  await page.getByLabel('E-mail of its first owner').fill('first@beta.test');
  await page.getByRole('button', { name: 'Create organization' }).click();
  const link = await page.getByRole('region', { name: 'invitation link' }).innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(link.trim());
  await page.getByRole('row', { name: /^Beta Ltd beta/ }).waitFor();

  const first = await ui.visitor();
  await first.page.goto(link.trim());
  await first.page.getByLabel('Name').fill('First');
  await first.page.getByLabel('Password').fill(PASSWORD);
  await first.page.getByRole('button', { name: 'Create account' }).click();
  await first.page.getByRole('heading', { name: 'No projects yet' }).waitFor();
  await first.page.getByRole('button', { name: /^First.*account$/ }).click();
  expect(await first.page.getByRole('link', { name: 'Organizations' }).count()).toBe(0);

  await first.page.getByRole('link', { name: 'Audit log' }).click();
  const log = first.page.getByRole('region', { name: 'Acts' });
  await log.getByRole('cell', { name: 'Created the organization' }).waitFor();
  const acts = await log.getByRole('row').allInnerTexts();
  expect(acts.slice(1).map(act => act.split('\t')[2])).toEqual([
    'Signed in',
    'Joined',
    'Invited a person',
    'Created the organization',
  ]);
  await first.page.getByLabel('Action').selectOption('Joined');
  await first.page.getByRole('cell', { name: 'Signed in' }).waitFor({ state: 'detached' });
  await log.getByRole('cell', { name: 'Joined' }).waitFor();
  expect(await log.getByRole('row').count()).toBe(2);

  await first.page.getByRole('link', { name: 'Members' }).click();
  await first.page.getByLabel('Role of First').waitFor();
  expect(await first.page.getByRole('button', { name: /^Remove/ }).count()).toBe(0); // the only owner
  await first.page.goto('/nowhere');
  await first.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await first.page.getByRole('link', { name: 'API reference' }).waitFor();

  await first.page.goto('/dashboard/acme/acme');
  await first.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect([...complaints, ...first.complaints]).toEqual([]);
}, 90_000);

it('a new project shows its site before it is created', async () => {
  const { page, complaints } = owner;
  await page.goto('/dashboard/acme/-/new-project');
  await page.getByRole('button', { name: 'On the built-in host' }).click();
  const preview = page.getByRole('region', { name: 'Preview of the site' });
  await page.getByLabel('Docs folder').fill('nowhere');
  await preview.getByRole('button', { name: 'Preview the site' }).click();
  await preview.getByText('Branch main has no folder nowhere').waitFor();
  await page.getByLabel('Docs folder').fill('');
  await preview.getByRole('button', { name: 'Preview the site' }).click();
  await preview.getByText('a plain folder').waitFor();
  await preview.getByText('docs/billing.md → /billing').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Docs');
  expect(await page.getByLabel('Domain').inputValue()).toBe('docs');
  await page.getByRole('button', { name: 'Import from an address' }).click();
  expect(await preview.getByText('a plain folder').count()).toBe(0);
  await preview.getByRole('button', { name: 'Preview the site' }).click(); // of no address
  await page.locator('input[name=source]:focus').waitFor();
  expect(complaints).toEqual([]);
}, 90_000);
