import { claimInstallation } from '../../../db/github/installations.ts';
import { type GitHubStandIn, startGitHub } from '../../hosts/github/stand-in.ts';
import type { Repository } from '../../hosts/github/state.ts';
import { seriousFindings } from './axe.ts';
import { at, startUi, type Ui, type Visitor } from './harness.ts';

const FILES = {
  'README.md': '# Rocket\n',
  'guides/docs.json': '{"name":"Rocket","navigation":{"pages":["index"]}}',
  'guides/index.md': '---\ntitle: Start\n---\n\nRockets carry parcels.\n',
};
const PAGE = '/dashboard/acme/-/github';
const PHONE = { width: 390, height: 844 };

let github: GitHubStandIn;
let ui: Ui;
let owner: Visitor;
let rocket: Repository;
beforeAll(async () => {
  github = await startGitHub();
  const { people } = github.state;
  ui = await startUi({
    env: {
      GITHUB_API_URL: github.apiUrl,
      GITHUB_APP_ID: github.appId,
      GITHUB_APP_PRIVATE_KEY: github.privateKey,
      GITHUB_APP_CLIENT_ID: people.clientId,
      GITHUB_APP_CLIENT_SECRET: people.clientSecret,
    },
  });
  people.callbackUrl = `${ui.baseUrl}/dashboard/-/github`;
  rocket = github.addRepository('rocket-labs/docs', FILES);
  rocket.roles = { ada: 'write' };
  const empty = github.addRepository('rocket-labs/part-11', {});
  empty.roles = rocket.roles;
  for (let i = 10; i <= 40; i += 1)
    // Only to be listed.
    if (i !== 11) github.state.repositories.push({ ...rocket, id: 500 + i, name: `part-${i}` });
  people.installsOn = [...github.state.repositories];
  owner = await ui.signedIn('owner');
  owner.context.setDefaultTimeout(40_000);
}, 180_000);
afterAll(async () => {
  await ui?.close();
  await github.stop();
});

/** What no page may do; that the browser went to GitHub was asked for. */
const complaints = () =>
  owner.complaints.filter(each => !each.startsWith(`a request to ${github.webUrl}/`));

/** In light all of it; in dark what colours can break; on a phone no wider than it. */
async function accessible(): Promise<void> {
  const { page } = owner;
  expect(await seriousFindings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await seriousFindings(page, ['color-contrast', 'link-in-text-block'])).toEqual([]);
  const before = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
    PHONE.width,
  );
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

it('creates the App by one button, installs it, and comes back connected', async () => {
  const bare = await startUi({
    env: {
      GITHUB_API_URL: github.apiUrl,
      ENCRYPTION_KEY: 'a key of more than 32 characters, for it',
    },
  });
  const { people } = github.state;
  const before = people.callbackUrl;
  try {
    const { page } = await bare.signedIn('owner');
    await page.goto(PAGE);
    await page.getByLabel('Organization on GitHub').fill('rocket-labs');
    await page.getByRole('button', { name: 'Create the GitHub App' }).click();
    await page.getByRole('button', { name: 'Create GitHub App' }).click();
    await page.getByRole('button', { name: 'Install' }).click();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Connected.').waitFor();
    expect(people.manifests.map(({ account }) => account)).toEqual(['rocket-labs']);
    await page
      .getByRole('region', { name: 'Connected accounts' })
      .getByText('rocket-labs')
      .waitFor();

    await page.getByRole('button', { name: 'Remove the App' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The App stays on GitHub: delete it there, too.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Create the GitHub App' }).waitFor();
    expect(await page.getByRole('region', { name: 'Connected accounts' }).count()).toBe(0);
  } finally {
    people.callbackUrl = before;
    github.state.installations.length = 0;
    await bare.close();
  }
}, 180_000);

describe('connecting GitHub', () => {
  it('installs the App, proves whose it is, and comes back connected', async () => {
    const { page } = owner;
    await page.goto('/dashboard/acme');
    await page.getByRole('link', { name: 'GitHub', exact: true }).click();
    await page.getByRole('heading', { name: 'No GitHub account is connected' }).waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Install the App' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Install Docent' }).waitFor();
    await page.getByRole('button', { name: 'Install' }).click();
    await page.getByRole('heading', { name: 'Authorize Docent as ada' }).waitFor();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('status').getByText('Connected.').waitFor();
    await page
      .getByRole('region', { name: 'Connected accounts' })
      .getByText('rocket-labs')
      .waitFor();
    await page.getByText('working', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(PAGE);
    await accessible();
    expect(complaints()).toEqual([]);
  }, 120_000);

  it('lets people choose between installations and explains refusals', async () => {
    const { page } = owner;
    const [mine, shared, secret] = ['moon-base/docs', 'big-corp/docs', 'big-corp/secret'].map(
      name => github.addRepository(name, FILES),
    );
    mine!.roles = { ada: 'admin' };
    shared!.roles = { ada: 'write' };
    github.install([mine!]);
    github.install([shared!, secret!]);
    await page.goto(PAGE);
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByRole('button', { name: 'Authorize' }).click();
    const shown = page.getByRole('region', { name: 'GitHub accounts that you can use' });
    await shown
      .getByText(
        'The installation on big-corp opens repositories that you cannot write to: ' +
          'someone with write access to all of them must connect it.',
      )
      .waitFor();
    await accessible();
    expect(await shown.getByRole('button').count()).toBe(1);
    await shown.getByRole('button', { name: 'Connect to Acme: moon-base' }).click();
    await page.getByRole('region', { name: 'Connected accounts' }).getByText('moon-base').waitFor();

    await page.getByRole('button', { name: 'Disconnect moon-base' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Disconnect moon-base' }).waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
  }, 120_000);

  it('connects nothing where it was declined, forged or used before', async () => {
    const { page } = owner;
    const before = await ui.pool.query('select * from github_installations');
    await page.goto(PAGE);
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page
      .getByRole('alert')
      .getByText('You did not allow it on GitHub, so nothing was connected.')
      .waitFor();
    await page.getByRole('link', { name: 'Back to the connected accounts' }).click();
    await page.getByRole('heading', { name: 'Connected accounts' }).waitFor();

    const returned = page.waitForRequest(request => request.url().includes('/dashboard/-/github?'));
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByRole('button', { name: 'Authorize' }).click();
    const address = (await returned).url();
    await page.waitForURL(`**${PAGE}?back=shown`);
    for (const path of [
      address,
      '/dashboard/-/github?code=12345678901234567890&state=acme.forged',
    ]) {
      await page.goto(path);
      await page
        .getByRole('alert')
        .getByText(/was already used, has expired, or started in another browser/)
        .waitFor();
    }
    for (const [path, sentence] of [
      ['?code=x&state=stranger.x', /did not return which organization/],
      ['', /did not return which organization/],
      ['?setup_action=request&state=acme.x', /must approve the App first/],
      [
        '?error=redirect_uri_mismatch&error_description=Call+us&state=acme.x',
        /has another callback URL for the App: the operator must set it/,
      ],
    ] as const) {
      await page.goto(`/dashboard/-/github${path}`);
      await page.getByRole('alert').getByText(sentence).waitFor();
      expect(await page.getByText('Call us').count()).toBe(0);
    }
    await accessible();
    expect((await ui.pool.query('select * from github_installations')).rows).toEqual(before.rows);
    expect(complaints()).toEqual([]);
  }, 120_000);

  it('says on the page what became of it on GitHub', async () => {
    const { page } = owner;
    github.state.installations[0]!.suspended = true;
    await page.goto(PAGE);
    await page
      .getByRole('alert')
      .getByText(
        'The App’s installation on rocket-labs is suspended: unsuspend it in GitHub’s settings.',
      )
      .waitFor();
    await accessible();
    github.state.installations[0]!.suspended = false;
    github.fail({ path: /\/app$/, status: 401, message: 'A JSON web token could not be decoded' });
    await page.reload();
    await page
      .getByRole('alert')
      .getByText(/GitHub does not know the App/)
      .waitFor();
  }, 120_000);

  it.each<[string, object, string]>([
    ['nothing', { by: 'none', problem: 'GitHub is not set up.' }, 'GitHub is not set up.'],
    [
      'nothing, where to send people back',
      { by: 'none' },
      'The App’s callback URL: https://docs.acme.test/dashboard/-/github',
    ],
    [
      'an App without its client',
      { by: 'app' },
      'docent github connect 7654321 --organization acme',
    ],
    ['a token', { by: 'token' }, 'rocket-labs/docs'],
    [
      'a token that is refused',
      { by: 'token', problem: 'GITHUB_TOKEN opens no repository.' },
      'GITHUB_TOKEN opens no repository.',
    ],
  ])(
    'says what there is to do where the operator has set %s',
    async (_, answer, text) => {
      const { page } = owner;
      const connection = {
        problem: null,
        callbackUrl: 'https://docs.acme.test/dashboard/-/github',
        canConnect: false,
        canCreateApp: false,
        storedApp: null,
        installations: [],
        shown: [],
        ...answer,
      };
      await page.route('**/api/dashboard/organizations/acme/github', route =>
        route.fulfill({ json: connection }),
      );
      await page.goto(PAGE);
      await page.getByText(text).first().waitFor();
      expect(await page.getByRole('button', { name: 'Connect GitHub' }).count()).toBe(0);
      await accessible();
      await page.unrouteAll();
    },
    120_000,
  );

  it('is an owner’s', async () => {
    const { page, context } = await ui.signedIn('member');
    await page.goto(PAGE);
    await page.getByText('Only owners of Acme can connect GitHub.').waitFor();
    expect(await page.getByRole('link', { name: 'GitHub', exact: true }).count()).toBe(0);
    await context.close();
  }, 120_000);
});

describe('a project on GitHub', () => {
  let viewer: Visitor;
  beforeAll(async () => {
    viewer = await ui.signedIn('viewer');
    const id = github.state.installations[0]?.id ?? github.install(github.state.people.installsOn);
    await claimInstallation(ui.pool, {
      id,
      organizationId: ui.project.organizationId,
      account: 'rocket-labs',
    });
  }, 60_000);

  it('is made of a repository that was looked at, and indexed', async () => {
    const { page } = owner;
    await page.goto('/dashboard/acme/-/new-project');
    await page.getByLabel('Name').fill('Rocket docs');
    await page.getByLabel('Domain').fill('rocket');
    const list = page.getByRole('list', { name: 'Repositories' });
    await list.getByText('rocket-labs/docs').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await list.getByText('rocket-labs/part-40').waitFor();
    await accessible();
    // None is chosen: the browser asks for one.
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByLabel('Search repositories').fill('part-1');
    await list.getByText('rocket-labs/docs').waitFor({ state: 'detached' });
    await page.getByLabel('Search repositories').press('Enter'); // sends nothing
    await list.getByRole('radio', { name: 'rocket-labs/part-11' }).click();
    await page
      .getByRole('alert')
      .getByText(/rocket-labs\/part-11 has no commit yet: push one first/)
      .waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Search repositories').fill('nothing-like-it');
    await page.getByRole('heading', { name: 'No repository name matches' }).waitFor();
    await page.getByLabel('Search repositories').fill('DOCS');
    await list.getByRole('radio', { name: 'rocket-labs/docs' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Docent can read this repository and push to it.').waitFor();
    expect([
      await page.getByLabel('Base branch').inputValue(),
      await page.getByLabel('Docs folder').inputValue(),
    ]).toEqual(['main', 'guides']);
    await accessible();
    await page.getByLabel('Base branch').fill('absent');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText(/has no branch absent/).waitFor();
    expect(await page.getByLabel('Base branch').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Base branch').fill('main');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rocket docs' }).waitFor();
    await page.getByText('up to date').waitFor({ timeout: 60_000 });
    expect(complaints()).toEqual([]);
  }, 120_000);

  it('shows in its settings how its repository is', async () => {
    const { page } = owner;
    await page.goto('/dashboard/acme/rocket/settings');
    const health = page.getByRole('region', { name: 'GitHub' });
    await health
      .getByText('Docent can read the repository and push to it, and the base branch exists.')
      .waitFor();
    rocket.archived = true;
    await health.getByRole('button', { name: 'Check again' }).click();
    await health
      .getByRole('alert')
      .getByText(
        'The repository rocket-labs/docs is archived and read-only: ' +
          'unarchive it, or point the project elsewhere.',
      )
      .waitFor();
    await health.getByText('needs attention').waitFor();
    await accessible();
    rocket.archived = false;
    await viewer.page.goto('/dashboard/acme/rocket/settings');
    await viewer.page.getByLabel('Code in pages').waitFor();
    expect(await viewer.page.getByLabel('Code in pages').isDisabled()).toBe(true);
    expect(await viewer.page.getByRole('region', { name: 'GitHub' }).count()).toBe(0);
    await page.goto(at('/settings'));
    await page.getByLabel('Base branch').waitFor();
    expect(await page.getByRole('region', { name: 'GitHub' }).count()).toBe(0);
    expect(complaints()).toEqual([]);
  }, 120_000);
});
