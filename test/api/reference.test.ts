import type { Browser, Page } from 'playwright-core';
import { findingsInBothThemes } from '../dashboard/ui/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import { startApi, type TestApi } from './harness.ts';

interface Described {
  paths: Record<string, Record<string, { summary: string }>>;
}

const OPERATION = '/docs/api/reference/agent/create-agent-job';
let api: TestApi;
let browser: Browser;
let page: Page;
let base: string;
const complaints: string[] = [];
beforeAll(async () => {
  api = await startApi();
  base = await api.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

async function open(path: string, title: string): Promise<void> {
  await page.goto(`${base}${path}`);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

it('is at /reference, and leads to a page of every endpoint', async () => {
  await open('/reference', 'API reference');
  expect(new URL(page.url()).pathname).toBe('/docs/api/reference');
  const { paths } = (await api.app.inject('/openapi.json')).json<Described>();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => ({ method, path, summary })),
  );
  expect(operations.length).toBeGreaterThan(15);
  const rows = page.locator('.page-body tr', { has: page.getByRole('link') });
  expect(await rows.count()).toBe(operations.length);
  for (const { method, path, summary } of operations) {
    const endpoint = `${method.toUpperCase()} ${path}`;
    const row = rows.filter({ has: page.getByText(endpoint, { exact: true }) });
    const href = await row.getByRole('link', { name: summary, exact: true }).getAttribute('href');
    const answer = await api.app.inject(
      `/api/dashboard/sites/-/page?path=${encodeURIComponent(href!.replace('/docs', ''))}`,
    );
    const found = answer.json<{ title: string; headings: { text: string }[] }>();
    expect([found.title, found.headings[0]?.text]).toEqual([summary, endpoint]);
  }
});

it('opens an endpoint from the list, in the navigation between its neighbours', async () => {
  await open('/docs/api/reference', 'API reference');
  await page.locator('.page-body').getByRole('link', { name: 'Rewind agent job' }).click();
  await page.getByRole('heading', { level: 1, name: 'Rewind agent job' }).waitFor();
  const navigation = page.getByRole('navigation', { name: 'Pages of the docs' });
  const current = navigation.locator('[aria-current=page]');
  expect(await current.textContent()).toBe('Rewind agent job');
  await page.getByText('Continues from an earlier step').waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByRole('heading', { level: 1, name: 'Create agent job' }).waitFor();
  await page.getByText('Deprecated.', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

it.each([
  ['/docs/api/reference', 'API reference'],
  [OPERATION, 'Create agent job'],
])('%s is accessible in both themes, and fits a phone', async (path, title) => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(path, title);
    expect(await findingsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(complaints).toEqual([]);
});

it('is found by the search of the docs', async () => {
  await open('/docs', 'Docent');
  await page.getByRole('combobox', { name: 'Search these docs' }).fill('idempotency-key');
  await page.getByRole('option', { name: 'Create agent job' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Create agent job' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/create-agent-job$/);
});

it('has examples that work in a shell that knows the names in them', async () => {
  await open(OPERATION, 'Create agent job');
  const text = (await page.getByText('curl -X POST').first().textContent()) ?? '';
  expect(text.trim()).toBe(
    'curl -X POST "$BASE_URL/v2/agent/$PROJECT_ID/job" \\\n' +
      '  -H "Authorization: Bearer $ADMIN_KEY" \\\n  -H "Content-Type: application/json" \\\n' +
      `  -d '{"prompt":"Add a page about webhooks"}'`,
  );
  const [, url = '', body = ''] = /BASE_URL([^"]+)"[\s\S]*-d '(.+)'/.exec(text) ?? [];
  const answer = await api.call('POST', url.replace('$PROJECT_ID', api.tenant.project.id), {
    body: JSON.parse(body) as unknown,
  });
  expect(answer.statusCode).toBe(201);
});
