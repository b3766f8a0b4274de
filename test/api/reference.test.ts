import type { Browser, Page } from 'playwright-core';
import { findingsInBothThemes } from '../dashboard/ui/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import { startApi, type TestApi } from './harness.ts';

interface Described {
  paths: Record<string, Record<string, { summary: string; tags: string[] }>>;
  components: { schemas: Record<string, unknown> };
}

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
  page.on('request', request => {
    if (!request.url().startsWith(`${base}/reference`)) complaints.push(request.url());
  });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

it('is accessible in both themes, without a script, and loads its font alone', async () => {
  const answer = await page.goto(`${base}/reference`);
  expect(answer?.headers()['content-security-policy']).toMatch(/^default-src 'none'; style-src/);
  expect(await findingsInBothThemes(page)).toEqual([]);
  expect(await page.locator('script, link[rel=stylesheet], img').count()).toBe(0);
  const color = await page.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(['rgb(251, 251, 252)', 'rgb(17, 18, 22)']).toContain(color); // its style is let in
  expect(complaints).toEqual([
    expect.stringMatching(/^http[^?]*\/dashboard\/assets\/inter-[\w-]+\.woff2$/),
  ]);
});

it('shows every endpoint and type of the document, each reachable from the list', async () => {
  const document = (await api.app.inject('/openapi.json')).json<Described>();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => ({ method, path, summary })),
  );
  expect(operations.length).toBeGreaterThan(15);
  await page.goto(`${base}/reference/`);
  for (const { method, path, summary } of operations) {
    const article = page.getByRole('article').filter({
      has: page.getByText(
        new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/[{}*.]/g, '\\$&')}( deprecated)?$`),
      ),
    });
    await article.getByRole('heading', { name: summary, level: 3 }).waitFor({ timeout: 1_000 });
    expect(await article.getByText('curl ').count()).toBe(1);
  }
  const hrefs = await page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="#"]')].map(each => each.getAttribute('href').slice(1))`,
  );
  const ids = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[id]')].map(each => each.id)`,
  );
  expect(hrefs.filter(href => !ids.includes(href))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const name of Object.keys(document.components.schemas))
    expect(ids).toContain(`schema-${name}`);
});

it('fits a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${base}/reference`);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await findingsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

it('has an example for each endpoint that works once its names are replaced', async () => {
  const text = (await page.textContent('#post-v2-agent-projectid-job pre')) ?? '';
  expect(text).toBe(
    `curl -X POST 'http://docent.test/v2/agent/PROJECT_ID/job' \\\n` +
      `  -H 'Authorization: Bearer ADMIN_KEY' \\\n  -H 'Content-Type: application/json' \\\n` +
      `  -d '{"prompt":"text"}'`,
  );
  const [, url = '', body = ''] = /'(http[^']+)'[\s\S]*-d '(.+)'/.exec(text) ?? [];
  const answer = await api.call(
    'POST',
    new URL(url.replace('PROJECT_ID', api.tenant.project.id)).pathname,
    {
      body: JSON.parse(body) as unknown,
    },
  );
  expect(answer.statusCode).toBe(201);
});
