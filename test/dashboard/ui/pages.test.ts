import type { BrowserContext, Page } from 'playwright-core';
import { sampleDocs } from '../../api/assistant/sample-docs.ts';
import { seriousFindings } from './axe.ts';
import { fillProject } from './fill.ts';
import { at, startUi, type Ui, type Visitor } from './harness.ts';
import { SLOW } from '../../support/slow.ts';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

let ui: Ui;
let owner: Visitor;
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
let jobPath: string;
let pullPath: string;
beforeAll(async () => {
  ui = await startUi({ files: { 'README.md': '# Docent docs\n', ...sampleDocs() } });
  owner = await ui.signedIn('owner');
  const { jobId, pull } = await fillProject(ui, owner.page);
  [jobPath, pullPath] = [at(`/jobs/${jobId}`), at(`/pulls/${pull}`)];
  storageState = await owner.context.storageState();
}, 240_000);
afterAll(async () => ui?.close());

const PAGES: readonly (readonly [string, () => string])[] = [
  ['overview', () => at()],
  ['jobs', () => at('/jobs')],
  ['job', () => jobPath],
  ['changes', () => `${jobPath}?view=changes`],
  ['operate', () => `${jobPath}?view=operate`],
  ['pull requests', () => at('/pulls?state=all')],
  ['pull request', () => pullPath],
  ['playground', () => at('/playground')],
  ['questions', () => at('/questions?show=all')],
  ['automations', () => at('/automations')],
  ['usage', () => '/dashboard/acme/-/usage'],
  ['keys', () => at('/keys')],
  ['settings', () => at('/settings')],
  ['projects', () => '/dashboard/acme'],
  ['new project', () => '/dashboard/acme/-/new-project'],
  ['members', () => '/dashboard/acme/-/members'],
  ['webhooks', () => '/dashboard/acme/-/webhooks'],
  ['audit log', () => '/dashboard/acme/-/audit'],
  ['organizations', () => '/dashboard/-/organizations'],
  ['account', () => '/dashboard/-/account'],
  ['not found', () => '/dashboard/acme/nowhere'],
];
const DOORS: readonly (readonly [string, () => string])[] = [
  ['sign-in', () => '/dashboard/sign-in'],
  ['used link', () => '/dashboard/invitation#nope'],
  ['reset', () => '/dashboard/reset#nope'],
];

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** The look in which the next page is judged; in the slow lane each page in both. */
const LOOKS = [
  { viewport: DESKTOP, colorScheme: 'light' },
  { viewport: PHONE, colorScheme: 'dark' },
] as const;
let next = 0;
const looks = () => (SLOW ? LOOKS : [LOOKS[next++ % 2]!]);

async function expectAccessible(page: Page, path: string): Promise<void> {
  for (const { viewport, colorScheme } of looks()) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto('about:blank'); // else only the fragment may change
    await page.goto(path);
    await settled(page);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      viewport.width,
    );
  }
}

describe('every page is accessible in both themes, and no wider than a phone', () => {
  let inside: Visitor;
  let outside: Visitor;
  beforeAll(async () => {
    inside = await ui.visitor({ storageState, colorScheme: 'light', viewport: DESKTOP });
    outside = await ui.visitor({ colorScheme: 'light', viewport: DESKTOP });
  });
  afterAll(async () => {
    await Promise.all([inside, outside].map(visitor => visitor?.context.close()));
  });

  it.each(PAGES)(
    '%s',
    async (_name, path) => {
      await expectAccessible(inside.page, path());
      expect(inside.complaints).toEqual([]);
    },
    60_000,
  );

  it.each(DOORS)(
    '%s',
    async (_name, path) => {
      await expectAccessible(outside.page, path());
    },
    60_000,
  );
});

it('dialogs are accessible, keep the focus and give it back', async () => {
  const { page } = owner;
  await page.goto(at('/keys'));
  const opener = page.getByRole('button', { name: 'New key' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New API key' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  for (let i = 0; i < 20; i += 1) await page.keyboard.press('Tab');
  expect(
    await page.evaluate(
      `[document.body, ...document.querySelectorAll('dialog[open], dialog[open] *')]
        .includes(document.activeElement)`,
    ),
  ).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New key');
}, 30_000);

it('is used by keyboard: skip link, navigation, the page that is left and entered', async () => {
  const { page } = owner;
  await page.goto(at());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  await page.getByRole('link', { name: 'Questions', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Questions' }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Questions');
  expect(await page.title()).toBe('Questions · Docent');
}, 30_000);

it('keeps the chosen theme, and has a menu on a phone', async () => {
  const { page, context } = await ui.visitor({
    storageState,
    colorScheme: 'light',
    viewport: PHONE,
  });
  await page.goto(at());
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  expect(await seriousFindings(page)).toEqual([]);
  await menu.getByRole('button', { name: 'Dark' }).click();
  await menu.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  await menu.waitFor({ state: 'hidden' });
  await page.reload();
  expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe('dark');
  await context.close();
}, 30_000);

const FETCHING = PAGES.filter(
  ([name]) => !['playground', 'operate', 'projects', 'not found'].includes(name),
);
/** In the slow lane all of them: they share the part that shows it. */
const FAILING = SLOW ? FETCHING : FETCHING.filter((_, n) => n % 5 === 0);

it.each(FAILING)(
  '%s: shows that it loads and what failed, and tries again',
  async (_name, path) => {
    const { page } = owner;
    let broken = true;
    let release = () => undefined as void;
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    await page.route(
      /\/api\/dashboard\/(projects|organizations|sessions|account)\b/,
      async route => {
        await held;
        await (broken
          ? route.fulfill({
              status: 400,
              contentType: 'application/problem+json',
              body: '{"detail":"The moon is in the way."}',
            })
          : route.continue());
      },
    );
    await page.goto(path());
    await page.getByText('Loading …').first().waitFor();
    release();
    await page.getByRole('alert').getByText('The moon is in the way.').first().waitFor();
    await page.getByText('Loading …').first().waitFor({ state: 'detached' });
    broken = false;
    const again = page.getByRole('button', { name: 'Try again' });
    // Two parts of a page may show one answer: trying again serves both.
    for (let left = await again.count(); left > 0; left = await again.count()) {
      await again.first().click();
      // The policy forbids what waitForFunction would do in the page.
      while ((await again.count()) >= left) await page.waitForTimeout(20);
    }
    await settled(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  60_000,
);

it('a job whose history cannot be loaded shows an error, and tries again', async () => {
  const { page, context } = await ui.visitor({ storageState });
  let broken = true;
  await page.route('**/events?*', route =>
    broken ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await page.goto(jobPath);
  await page.getByRole('alert').getByText('The history of this job could not be loaded.').waitFor();
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('log').getByText('Pull request opened:').waitFor();
  await context.close();
}, 30_000);

const EVIL =
  '![pixel](https://evil.example.com/pixel.png) ' +
  '<img src="https://evil.example.com/a.png" onerror="alert(1)"> <script>alert(2)</script> ' +
  '[click](javascript:alert(3)) [fine](https://example.com/)';

it('shows untrusted Markdown without loading or running anything of it', async () => {
  const { page, complaints } = owner;
  await ui.pool.query('update local_pull_requests set body = $1', [EVIL]);
  await ui.pool.query(
    `update job_events set data = data || jsonb_build_object('messageToUser', $1::text)
      where type = 'finish'`,
    [EVIL],
  );
  await ui.pool.query(`update thread_messages set text = $1 where role = 'assistant'`, [EVIL]);
  for (const [path, shown] of [
    [pullPath, page.getByRole('region', { name: 'Description' })],
    [jobPath, page.getByRole('log', { name: 'What happened' }).locator('.outcome').last()],
    [
      at('/questions?show=all'),
      page.getByRole('region', { name: 'Questions' }).locator('.prose').first(),
    ],
  ] as const) {
    await page.goto(path);
    if (path.includes('questions')) await page.getByText('The assistant’s answer').first().click();
    await shown.getByRole('link', { name: 'fine' }).waitFor();
    expect(
      await shown
        .getByRole('link')
        .evaluateAll(links => links.map(link => link.getAttribute('href'))),
    ).toEqual(['https://evil.example.com/pixel.png', 'https://example.com/']);
    expect(await shown.locator('img, script, [onerror]').count()).toBe(0);
  }
  expect(complaints).toEqual([]);
}, 60_000);

it('has a policy that blocks other sites and inline scripts, on any page', async () => {
  const { page, context } = await ui.visitor({ storageState });
  await page.goto(at());
  const refused = await page.evaluate<string[]>(`new Promise(done => {
    const refused = new Set();
    document.addEventListener('securitypolicyviolation', event => {
      refused.add(event.effectiveDirective);
      if (refused.size === 6) done([...refused].sort());
    });
    document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.example.com/a.png">' +
      '<img src="/none" onerror="globalThis.ran = true">' +
      '<iframe src="https://evil.example.com/"></iframe>');
    const add = (tag, members) =>
      document.body.append(Object.assign(document.createElement(tag), members));
    add('script', { textContent: 'globalThis.ran = true' });
    add('style', { textContent: 'body { background: url(https://evil.example.com/b.png) }' });
    fetch('https://evil.example.com/').catch(() => undefined);
  })`);
  expect(refused).toEqual([
    'connect-src',
    'frame-src',
    'img-src',
    'script-src-attr',
    'script-src-elem',
    'style-src-elem',
  ]);
  expect(await page.evaluate('globalThis.ran')).toBeUndefined();
  await context.close();
}, 30_000);

it('settings save what was changed, and tell if somebody else changed the same', async () => {
  const open = async () => {
    const { page, complaints } = await ui.visitor({ storageState });
    await page.goto(at('/settings'));
    await page.getByLabel('Name', { exact: true }).waitFor();
    return { page, complaints };
  };
  const [first, second] = [await open(), await open()];
  const save = async (page: Page) =>
    page.getByRole('button', { name: 'Save', exact: true }).click();
  const stored = async () =>
    (await ui.pool.query('select name, site_url from projects where id = $1', [ui.project.id]))
      .rows[0];
  await first.page.getByLabel('Name', { exact: true }).fill('Rockets');
  const sent = first.page.waitForRequest(request => request.method() === 'PATCH');
  await save(first.page);
  expect((await sent).postDataJSON()).toEqual({ name: 'Rockets' });
  await first.page.getByText('Saved.').waitFor();

  await second.page.getByLabel('Site address').fill('https://docs.example.com');
  await save(second.page);
  await second.page.getByText('Saved.').waitFor();
  expect(await stored()).toEqual({ name: 'Rockets', site_url: 'https://docs.example.com' });

  await first.page.getByLabel('Site address').fill('https://other.example.com');
  await save(first.page);
  await first.page.getByText('Someone else changed Site address meanwhile.').waitFor();
  expect(await stored()).toMatchObject({ site_url: 'https://docs.example.com' });
  await save(first.page);
  await first.page.getByText('Saved.').waitFor();
  expect(await stored()).toMatchObject({ site_url: 'https://other.example.com' });
  await ui.pool.query(`update projects set name = 'Docs', site_url = null where id = $1`, [
    ui.project.id,
  ]);
  expect([...first.complaints, ...second.complaints]).toEqual([]);
}, 60_000);

it('weighs at most 150 kB on the first page', async () => {
  // Nothing is stored: a browser that knows the font has it in its cache.
  const { page, context } = await ui.visitor({ storageState: { ...storageState, origins: [] } });
  await page.goto(at());
  await page.getByRole('heading', { name: 'Recent jobs' }).waitFor();
  const sizes = await page.evaluate<
    number[]
  >(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(entry => !entry.name.includes('/api/')).map(entry => entry.transferSize)`);
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  expect(kilobytes).toBeGreaterThan(50);
  expect(kilobytes).toBeLessThanOrEqual(150);
  await context.close();
}, 30_000);
