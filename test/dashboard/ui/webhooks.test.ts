import { type Receiver, startReceiver } from '../../jobs/webhook-receiver.ts';
import { until } from '../../support/until.ts';
import { seriousFindings } from './axe.ts';
import { at, startUi, type Ui, type Visitor } from './harness.ts';

const PAGE = '/dashboard/acme/-/webhooks';

let ui: Ui;
let owner: Visitor;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  ui = await startUi({
    noWorker: true,
    env: {
      ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
      ENCRYPTION_KEY: 'a key of the tests, of more than 32 characters',
    },
  });
  owner = await ui.signedIn('owner');
}, 120_000);
afterAll(async () => {
  await ui?.close();
  await receiver?.close();
});

it('adds one, shows its secret once, and what was sent to it', async () => {
  const { page } = owner;
  await page.goto(PAGE);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('A job completed').uncheck();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const secret = page.getByRole('dialog', { name: 'Copy the secret now' });
  const text = await secret.locator('pre, code').first().innerText();
  expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  receiver.trust(text);
  await secret.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText('job.failed, job.waiting').waitFor();

  await page.getByRole('button', { name: `Test ${receiver.url}` }).click();
  await page.getByRole('link', { name: receiver.url }).click();
  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  await deliveries.getByText('delivered').waitFor();
  expect(receiver.forged()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  if (process.env['PICTURES'])
    await page.screenshot({ path: `${process.env['PICTURES']}/webhooks.png` });
  await deliveries.getByRole('button', { name: /^Send again/ }).click();
  await until('it came again', () => receiver.attempts.length === 2);
  expect(receiver.attempts[1]!.id).toBe(receiver.attempts[0]!.id);
  expect(owner.complaints).toEqual([]);
}, 60_000);

it('says on the overview and the page that one was given up', async () => {
  const { page } = owner;
  receiver.answer = () => ({ status: 410 });
  await page.goto(PAGE);
  await page.getByRole('button', { name: `Test ${receiver.url}` }).click();
  await page.getByText('It answered 410 Gone.').waitFor();
  await page.goto(at());
  await page.getByRole('link', { name: '1 webhook disabled after failed deliveries' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  receiver.answer = () => ({ status: 204 });
  await page.getByRole('button', { name: `Enable ${receiver.url}` }).click();
  await page.getByText('active', { exact: true }).waitFor();

  await page.getByRole('button', { name: `Rotate the secret of ${receiver.url}` }).click();
  await page.getByRole('button', { name: 'Create new secret' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: `Remove ${receiver.url}` }).click();
  await page.getByRole('button', { name: 'Remove webhook' }).click();
  await page.getByText('No webhooks yet').waitFor();
  expect(owner.complaints).toEqual([]);
}, 60_000);

it('is not for members', async () => {
  const member = await ui.signedIn('member');
  await member.page.goto(at());
  await member.page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await member.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
}, 60_000);
