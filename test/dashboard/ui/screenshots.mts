// Screenshots of every page in both themes at three widths, and those of the README, into the folder
// that the first argument names. Those that need GitHub or a sign-in provider are in
// screenshots-outside.mts.
//   node --import tsx test/dashboard/ui/screenshots.mts /tmp/screenshots
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startServices } from '../../support/start-services.ts';

const folder = process.argv[2] ?? 'screenshots';
const services = await startServices();
const { sampleDocs } = await import('../../api/assistant/sample-docs.ts');
const { at, startUi } = await import('./harness.ts');
const { callAs, fillProject } = await import('./fill.ts');
const { inEveryLook } = await import('./looks.ts');
const ask = async (page: Page) => {
  await page.getByLabel('Question').fill('How do I cancel a job?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('list', { name: 'Sources' }).waitFor();
};
const ui = await startUi({ files: { 'README.md': '# Docent docs\n', ...sampleDocs() } });
try {
  const { page, context } = await ui.signedIn('owner');
  const { jobId, declinedJobId, pull } = await fillProject(ui, page);
  const rewound = await ui.create('Set the title of docs/index.md to "Docent"');
  await ui.rest(rewound.id);
  await ui.message(rewound.id, 'Append the line "It begins here." to docs/index.md');
  await ui.rest(rewound.id);
  await callAs(page, 'POST', `/projects/${ui.project.id}/jobs/${rewound.id}/rewind`, {
    turn: 1,
    step: 2,
  });
  await ui.rest(rewound.id);
  const { url } = await callAs<{ url: string }>(
    page,
    'GET',
    `/projects/${ui.project.id}/pulls/${pull}`,
  );
  const open = { 'public-docs': '/docs', 'public-pull': url, reference: '/reference' };
  const storageState = await context.storageState();
  const pages: Record<string, string> = {
    overview: at(),
    jobs: at('/jobs'),
    'jobs-empty': at('/jobs?search=nothing-like-it'),
    job: at(`/jobs/${jobId}`),
    'job-changes': at(`/jobs/${jobId}?view=changes`),
    'job-operate': at(`/jobs/${jobId}?view=operate`),
    'job-declined': at(`/jobs/${declinedJobId}`),
    'job-rewound': at(`/jobs/${rewound.id}`),
    pulls: at('/pulls?state=all'),
    pull: at(`/pulls/${pull}`),
    playground: at('/playground'),
    widget: at('/widget'),
    questions: at('/questions?show=all'),
    usage: '/dashboard/acme/-/usage',
    keys: at('/keys'),
    settings: at('/settings'),
    projects: '/dashboard/acme',
    members: '/dashboard/acme/-/members',
    'new-project': '/dashboard/acme/-/new-project',
    account: '/dashboard/-/account',
    docs: at('/docs'),
    audit: '/dashboard/acme/-/audit',
    'not-found': '/dashboard/acme/nowhere',
  };
  await readmePictures(storageState, pages);
  await widgetPicture(page);
  await inEveryLook(ui, folder, { storageState }, async ({ page: shown, size, shoot }) => {
    for (const [name, path] of Object.entries(pages)) {
      await shown.goto(path);
      await shown.getByRole('heading', { level: 1 }).waitFor();
      if (name === 'playground') await ask(shown);
      await shoot(name);
      if (name === 'pull') {
        await shown.getByRole('button', { name: 'Page', exact: true }).click();
        await shown.getByRole('insertion').first().waitFor();
        await shoot('pull-page');
        await shown.getByRole('button', { name: 'Source', exact: true }).click();
      }
      if (name === 'keys') {
        await shown.getByRole('button', { name: 'New key' }).click();
        await shoot('new-key');
      }
      if (name === 'job-rewound') {
        await shown.getByText('Rewound to step').click();
        await shoot('job-undone');
        await shown
          .getByRole('button', { name: /^Continue from here/ })
          .first()
          .click();
        await shoot('job-continue');
      }
    }
    if (size === 'phone') {
      await shown.goto(at());
      await shown.getByRole('button', { name: 'Menu' }).click();
      await shoot('menu');
    }
  });
  await inEveryLook(ui, folder, {}, async ({ page: outside, shoot }) => {
    await outside.goto('/dashboard/sign-in');
    await outside.getByRole('heading', { level: 1 }).waitFor();
    await outside.waitForTimeout(1_500); // the font
    await shoot('sign-in');
    for (const [name, path] of Object.entries(open)) {
      await outside.goto(path);
      await outside.getByRole('heading', { level: 1 }).first().waitFor();
      await shoot(name);
    }
  });
} finally {
  await ui.close();
  await services.stop();
}
process.exit(); // a message port stays open after all is closed

type State = Awaited<ReturnType<Awaited<ReturnType<typeof ui.visitor>>['context']['storageState']>>;

/** Those of the README: a job, a rendered review, the overview, and the docs with the assistant. */
async function readmePictures(storageState: State, pages: Record<string, string>): Promise<void> {
  for (const [name, path, colorScheme] of [
    ['job', pages['job'], 'light'],
    ['review', pages['pull'], 'dark'],
    ['overview', pages['overview'], 'light'],
    ['docs', `${pages['docs']}/quickstart`, 'light'],
  ] as const) {
    const { page, context } = await ui.visitor({
      colorScheme,
      viewport: { width: 1280, height: 800 },
      storageState,
    });
    await page.goto(path ?? '');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    if (name === 'job') {
      await page.getByText('Insert', { exact: true }).click();
      await page.getByRole('region', { name: 'Edit' }).waitFor();
      await page.mouse.move(600, 400);
      await page.mouse.wheel(0, 2_000);
    }
    if (name === 'review') {
      await page.getByRole('button', { name: 'Page', exact: true }).click();
      await page.getByRole('insertion').first().waitFor();
      await page.mouse.wheel(0, 560);
    }
    if (name === 'docs') {
      await page.getByRole('button', { name: 'Ask the assistant' }).click();
      await ask(page);
    }
    await page.waitForLoadState('networkidle').catch(() => undefined);
    await page.waitForTimeout(1_500); // the font
    await page.screenshot({ path: join(folder, `dashboard-${name}.png`) });
    await context.close();
  }
}

/** A site of another origin that has the widget's tag and nothing else of ours. */
async function widgetPicture(owner: Page): Promise<void> {
  const { token } = await callAs<{ token: string }>(
    owner,
    'POST',
    `/projects/${ui.project.id}/keys`,
    { kind: 'assistant', name: 'Docs site', allowedOrigins: [], allowedAddresses: [] },
  );
  const html = readFileSync(join(import.meta.dirname, 'site-with-widget.html'), 'utf8')
    .replace('BASE_URL', ui.baseUrl)
    .replace('KEY', token);
  const site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>(done => site.listen(0, '127.0.0.1', done));
  const { port } = site.address() as AddressInfo;
  const { page, context } = await ui.visitor({ viewport: { width: 1280, height: 800 } });
  await page.goto(`http://127.0.0.1:${port}/quickstart`);
  await page.waitForFunction('window.DocentAssistant !== undefined');
  await page.evaluate(
    'DocentAssistant.init().then(() => DocentAssistant.ask("How do I cancel a job?"))',
  );
  await page.screenshot({ path: join(folder, 'widget.png') });
  await context.close();
  site.closeAllConnections();
  site.close();
}
