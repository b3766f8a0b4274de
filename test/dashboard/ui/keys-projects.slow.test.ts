import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createInvitation } from '../../../db/people/invitations.ts';
import { createOrganization } from '../../../db/people/organizations.ts';
import { transaction } from '../../../db/pool.ts';
import { invitationLink } from '../../../shared/links.ts';
import { at, PASSWORD, startUi, type Ui, type Visitor } from './harness.ts';
import { servePublicRepository } from './public-repository.ts';

let ui: Ui;
let owner: Visitor;
beforeAll(async () => {
  ui = await startUi();
  owner = await ui.signedIn('owner');
}, 180_000);
afterAll(async () => ui?.close());

const run = promisify(execFile);

/** Of a search whose key was accepted: nothing is indexed here. */
const ACCEPTED = 503;

const ask = (key: string, origin?: string) =>
  fetch(`${ui.baseUrl}/discovery/v1/search/acme`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(origin && { origin }),
    },
    body: JSON.stringify({ query: 'parcel' }),
  });

describe('API keys', () => {
  it('are made, shown once with a command that works, rotated and revoked', async () => {
    const { page, complaints } = owner;
    await page.goto(at('/keys'));
    await page.getByText(ui.project.id).first().waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Docs site');
    await page.getByLabel('Allowed origins').fill('docs.example.com');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('an origin such as https://docs.example.com').waitFor();
    expect(await page.getByLabel('Allowed origins').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Allowed origins').fill('https://docs.example.com');
    await page.getByRole('button', { name: 'Create key' }).click();
    const token = await page.getByRole('region', { name: 'new key', exact: true }).innerText();
    const example = await page
      .getByRole('region', { name: 'example with the new key' })
      .innerText();
    expect(example).toContain(token);
    // Pasted as it stands: the key is restricted to an origin.
    const pasted = await run('bash', ['-c', `${example} -s -o /dev/null -w '%{http_code}'`]);
    expect(pasted.stdout).toBe('200');
    expect((await ask(token, 'https://docs.example.com')).status).toBe(ACCEPTED);
    expect((await ask(token, 'https://evil.example.com')).status).toBe(403);
    await page.keyboard.press('Escape'); // what is shown once does not close by accident
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(token);

    await page.getByRole('button', { name: 'Rotate Docs site' }).click();
    await page.getByLabel('Keep the old key valid for').selectOption('0');
    await page.getByRole('button', { name: 'Create new key' }).click();
    const successor = await page.getByRole('region', { name: 'new key', exact: true }).innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect((await ask(successor, 'https://docs.example.com')).status).toBe(ACCEPTED);
    expect((await ask(token, 'https://docs.example.com')).status).toBe(401);
    await page.getByText('expired', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Expired and revoked (1)' }).click();
    await page.getByText('expired', { exact: true }).waitFor();
    await page.getByRole('link', { name: /^Valid/ }).click();
    await page.getByLabel('Search keys').fill('nothing is called that');
    await page.getByRole('heading', { name: 'No keys match' }).waitFor();
    await page.getByLabel('Search keys').fill('docs SITE');

    await page.getByRole('button', { name: 'Revoke Docs site' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('link', { name: 'Expired and revoked (2)' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    expect((await ask(successor, 'https://docs.example.com')).status).toBe(401);
    expect(complaints).toEqual([]);
  }, 90_000);

  it('come with commands that hold the ids and run as they stand', async () => {
    const { page } = owner;
    await page.goto(at('/keys'));
    const example = page.getByRole('region', { name: 'example', exact: true });
    for (const [name, address] of [
      ['Agent', `/v2/agent/${ui.project.id}/job`],
      ['Agent, v1', `/v1/agent/${ui.project.id}/job`],
      ['Assistant', '/discovery/v2/assistant/acme/message'],
      ['React hook', '/discovery/v2/assistant/acme/message'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      expect(await example.innerText()).toContain(`${ui.baseUrl}${address}`);
    }
    await page.getByRole('button', { name: 'Agent', exact: true }).click();
    const body = /-d '(.*)'$/s.exec(await example.innerText())?.[1] ?? '';
    expect(await ui.create((JSON.parse(body) as { prompt: string }).prompt)).toMatchObject({
      status: 'active',
    });
  }, 60_000);
});

describe('projects', () => {
  it('are made from a repository of the built-in host, indexed, changed and removed', async () => {
    const { page, complaints } = owner;
    const member = await ui.signedIn('member');
    const folder = mkdtempSync(join(tmpdir(), 'docent-folder-'));
    for (const [file, text] of [
      ['index.md', '# Uploaded\n'],
      ['mkdocs.yml', 'site_name: Uploaded\n'],
    ] as const)
      writeFileSync(join(folder, file), text);
    await page.goto('/dashboard/acme');
    await page.getByRole('link', { name: 'New project' }).first().click();
    await page.getByLabel('Name').fill('Uploaded site');
    expect(await page.getByLabel('Domain').inputValue()).toBe('uploaded-site');
    await page.getByRole('button', { name: 'Upload a folder' }).click();
    await page.getByLabel('Folder', { exact: true }).setInputFiles(folder);
    await page.getByText('2 files with 1 page').waitFor();
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { level: 1, name: 'Uploaded site' }).waitFor();
    await page.goto('/dashboard/acme/-/new-project');
    await page.getByLabel('Name').fill('Second site');
    await page.getByLabel('Domain').fill('acme'); // taken
    await page.getByRole('button', { name: 'On the built-in host' }).click();
    await page.getByLabel('Repository on the built-in host').selectOption('docs');
    await page.getByLabel('Context repositories').fill('docs@main');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page
      .getByText(/taken|already/i)
      .first()
      .waitFor();
    await page.getByLabel('Domain').fill('second');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { level: 1, name: 'Second site' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/acme/second');

    const found = page.getByRole('region', { name: 'Site', exact: true });
    await found.getByText('a plain folder').waitFor({ timeout: 30_000 });
    await found.getByText('by folder').waitFor();
    await found
      .getByText(/^docs\/.+ → \/.+/)
      .first()
      .waitFor();
    await found.getByRole('link', { name: 'Change' }).click();
    await page.getByText('up to date').waitFor({ timeout: 30_000 });
    expect(await page.getByLabel('Detect the docs folder').isChecked()).toBe(true);
    expect(await page.getByLabel('Context repositories').inputValue()).toBe('docs@main');
    await page.getByLabel('Detect the docs folder').uncheck();
    await page.getByLabel('Docs folder', { exact: true }).fill('nowhere');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Is not a folder of branch main.').waitFor();
    await page.getByLabel('Docs folder', { exact: true }).fill('docs');
    await page.getByLabel('Site kind').selectOption('MkDocs');
    await page.getByLabel('Base path').fill('/v2');
    await page.getByRole('button', { name: 'Save' }).click();
    await found.getByText('There is no mkdocs site in docs').waitFor({ timeout: 30_000 });
    await found
      .getByText(/→ \/v2\//)
      .first()
      .waitFor();
    await page.getByLabel('Site kind').selectOption('Detected automatically');
    await page.getByLabel('Base path').fill('');
    await page.getByLabel('Site address').fill('https://docs.example.com');
    await page.getByLabel('Public').check();
    await page.getByLabel('Code in pages').check();
    await page.getByLabel('Commit author').fill('Docs Bot');
    await page.getByLabel('Sign off commits').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Must be a name and an e-mail address/).waitFor();
    await page.getByLabel('Commit author').fill('Docs Bot <docs-bot@example.com>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Save' }).click(); // refused by the browser
    await page.getByText('Saved.').waitFor({ state: 'detached' });
    await page.reload();
    expect(await page.getByLabel('Site address').inputValue()).toBe('https://docs.example.com');
    expect(await page.getByLabel('Public').isChecked()).toBe(true);
    expect(await page.getByLabel('Code in pages').isChecked()).toBe(true);
    await member.page.goto('/dashboard/acme/second/settings');
    await member.page.getByText('jobs can add it').waitFor();
    await member.page.getByText('Docs Bot <docs-bot@example.com>, signed off').waitFor();
    expect(await member.page.getByLabel('Code in pages').count()).toBe(0);
    await member.context.close();
    await page.getByRole('button', { name: 'Index now' }).click();
    await page.getByText('up to date').waitFor({ timeout: 30_000 });

    await ui.pool.query(`update projects set base_ref = 'gone' where domain = 'second'`);
    await page.getByRole('button', { name: 'Index now' }).click();
    await page
      .getByText(
        /^The last run failed\. The branch gone does not exist in .+ Readers still get the previous index\.$/,
      )
      .waitFor({ timeout: 30_000 });
    await ui.pool.query(
      `delete from search_indexes
        where project_id = (select id from projects where domain = 'second')`,
    );
    await page.reload();
    await page
      .getByText(/^The last run failed\. The branch gone does not exist in [^ ]+\.$/)
      .waitFor();
    await page.getByText('Not built yet.').waitFor();

    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByLabel('Type second to confirm').fill('second');
    await page.getByRole('button', { name: 'Remove project' }).click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.getByRole('main').getByText('Second site').waitFor({ state: 'detached' });
    await page.goto('/dashboard/acme/second');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(complaints).toEqual([]);
  }, 120_000);

  it('are copied from a public address', async () => {
    const { page } = owner;
    const source = await servePublicRepository(ui);
    try {
      await page.goto(`${source.dashboard}/dashboard/acme/-/new-project`);
      await page.getByLabel('Name').fill('Copied site');
      await page.getByLabel('Domain').fill('copied');
      await page.getByLabel('Address', { exact: true }).fill('https://192.168.0.1/acme/docs.git');
      await page.getByRole('button', { name: 'Import and create' }).click();
      await page.getByText(/private network/).waitFor();
      expect(await page.getByLabel('Address', { exact: true }).getAttribute('aria-invalid')).toBe(
        'true',
      );
      await page.getByLabel('Address', { exact: true }).fill(source.address);
      await page.getByRole('button', { name: 'Import and create' }).click();
      await page.getByRole('heading', { level: 1, name: 'Copied site' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/dashboard/acme/copied');
      await page
        .getByRole('region', { name: 'Source' })
        .getByText('docs', { exact: true })
        .waitFor(); // the folder was found
      expect(
        ui.git(
          '--git-dir',
          join(ui.config.DATA_DIR, 'repositories', 'copied.git'),
          'show',
          'main:docs/billing.md',
        ),
      ).toContain('Invoices');
    } finally {
      await source.close();
    }
  }, 120_000);

  it('are switched between in the menu', async () => {
    const { page } = owner;
    await page.goto(at());
    await page.getByRole('button', { name: /switch project$/ }).click();
    await page
      .getByRole('group', { name: 'switch project' })
      .getByRole('link', { name: 'All projects' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  }, 30_000);
});

it('an organization without a project has its pages all the same', async () => {
  const organization = await createOrganization(ui.pool, { slug: 'bare', name: 'Bare' });
  const { token } = await transaction(ui.pool, tx =>
    createInvitation(tx, {
      organizationId: organization.id,
      email: 'eve@bare.test',
      role: 'owner',
    }),
  );
  const { page, context, complaints } = await ui.visitor();
  await page.goto(invitationLink(ui.baseUrl, token));
  await page.getByLabel('Name').fill('Eve');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard/bare/-/usage');
  await page.getByRole('heading', { name: 'No assistant keys' }).waitFor();
  await page.getByRole('heading', { name: 'No usage in this period' }).first().waitFor();
  await page.getByText('0 total').first().waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('main').getByText('eve@bare.test').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
}, 60_000);
