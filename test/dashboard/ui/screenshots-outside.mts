// Screenshots of the pages that need GitHub or a sign-in provider, as screenshots.mts takes the
// others; both are stand-ins:
//   node --import tsx test/dashboard/ui/screenshots-outside.mts /tmp/screenshots
import type { Page } from 'playwright-core';
import { invitationLink } from '../../../shared/links.ts';
import { createInvitation } from '../../../db/people/invitations.ts';
import { transaction } from '../../../db/pool.ts';
import { startGitHub } from '../../hosts/github/stand-in.ts';
import { startServices } from '../../support/start-services.ts';
import { OidcProvider } from '../oidc-provider.ts';

const folder = process.argv[2] ?? 'screenshots';
const FILES = {
  'README.md': '# Rocket\n',
  'guides/docs.json': '{"name":"Rocket","navigation":{"pages":["index"]}}',
  'guides/index.md': '---\ntitle: Start\n---\n\nRockets carry parcels.\n',
};
const services = await startServices();
const { at, startUi } = await import('./harness.ts');
const { callAs } = await import('./fill.ts');
const { inEveryLook } = await import('./looks.ts');
const github = await startGitHub();
const provider = await new OidcProvider().start();
const { people, installations, repositories } = github.state;
const ui = await startUi({
  noWorker: true,
  env: {
    ...provider.settings,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_APP_ID: github.appId,
    GITHUB_APP_PRIVATE_KEY: github.privateKey,
    GITHUB_APP_CLIENT_ID: people.clientId,
    GITHUB_APP_CLIENT_SECRET: people.clientSecret,
  },
});
people.callbackUrl = `${ui.baseUrl}/dashboard/-/github`;
try {
  const { page, context } = await ui.signedIn('owner');
  const storageState = await context.storageState();
  const shoot = (
    name: string,
    path: string,
    arrange: (page: Page) => Promise<unknown> = async () => undefined,
  ) =>
    inEveryLook(ui, folder, { storageState }, async look => {
      await look.page.goto(path);
      await look.page.getByRole('heading', { level: 1 }).waitFor();
      await arrange(look.page);
      await look.shoot(name);
    });
  const onGitHub = '/dashboard/acme/-/github';

  await shoot('github-empty', onGitHub);
  await shoot('github-declined', '/dashboard/-/github?error=access_denied&state=acme.x', shown =>
    shown.getByRole('alert').waitFor(),
  );
  const connection = {
    problem:
      'GitHub is not set up: create an App in the dashboard, or set GITHUB_APP_ID or GITHUB_TOKEN.',
    callbackUrl: people.callbackUrl,
    canConnect: false,
    installations: [],
    shown: [],
  };
  for (const by of ['none', 'app'] as const) {
    await shoot(`github-by-${by}`, '/dashboard/acme', async shown => {
      await shown.route('**/api/dashboard/organizations/acme/github', route =>
        route.fulfill({ json: { ...connection, by, ...(by === 'app' && { problem: null }) } }),
      );
      await shown.goto(onGitHub);
      await shown.getByText(by === 'none' ? connection.problem : 'Without them:').waitFor();
    });
  }

  const [docs, , mine, shared, secret] = [
    'rocket-labs/docs',
    'rocket-labs/handbook',
    'moon-base/docs',
    'big-corp-international/docs',
    'big-corp-international/secret',
  ].map(name => github.addRepository(name, FILES));
  for (const each of repositories) if (each !== secret) each.roles = { ada: 'write' };
  people.installsOn = repositories.filter(({ owner }) => owner === 'rocket-labs');
  // To be listed, no more.
  for (let i = 10; i <= 40; i += 1) repositories.push({ ...docs!, id: 500 + i, name: `part-${i}` });
  for (const each of [people.installsOn, [mine!], [shared!, secret!]]) github.install(each);
  const connect = async (account: string): Promise<void> => {
    await page.getByRole('button', { name: `Connect to Acme: ${account}` }).click();
    await page.getByRole('button', { name: `Disconnect ${account}` }).waitFor();
  };
  await page.goto(onGitHub);
  await page.getByRole('button', { name: 'Connect GitHub' }).click();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('region', { name: 'GitHub accounts that you can use' }).waitFor();
  await shoot('github-shown', onGitHub);
  await connect('rocket-labs');
  await connect('moon-base');
  installations[1]!.suspended = true;
  await shoot('github-connected', onGitHub, shown => shown.getByText('needs attention').waitFor());

  const choose = async (shown: Page): Promise<void> => {
    await shown.getByRole('radio', { name: 'rocket-labs/docs' }).click();
  };
  await shoot('new-project-github', '/dashboard/acme/-/new-project', shown =>
    shown.getByText('rocket-labs/docs').waitFor(),
  );
  await shoot('new-project-chosen', '/dashboard/acme/-/new-project', async shown => {
    await choose(shown);
    await shown.getByText('Docent can read this repository and push to it.').waitFor();
  });
  await callAs(page, 'POST', '/organizations/acme/projects', {
    name: 'Rocket docs',
    domain: 'rocket',
    source: { type: 'github', repository: 'rocket-labs/docs' },
  });
  await shoot('settings-github', '/dashboard/acme/rocket/settings', shown =>
    shown.getByText('Docent can read the repository').waitFor(),
  );
  docs!.archived = true;
  await shoot('settings-github-broken', '/dashboard/acme/rocket/settings', shown =>
    shown.getByText('needs attention').waitFor(),
  );
  await shoot('account-provider', '/dashboard/-/account', shown =>
    shown.getByText('Not linked.').waitFor(),
  );
  await shoot('signing-out-fails', at(), async shown => {
    await shown.route('**/api/dashboard/session', route =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    const menu = shown.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
    await shown
      .getByRole('button', { name: /account$/ })
      .and(shown.locator(':visible'))
      .click();
    await shown.getByRole('button', { name: 'Sign out' }).and(shown.locator(':visible')).click();
    await shown.getByRole('alert').and(shown.locator(':visible')).waitFor();
  });

  provider.people.set('owner-1@acme.test', {
    sub: '1',
    email: 'owner-1@acme.test',
    email_verified: true,
    name: 'Owner',
  });
  provider.people.set('mallory@acme.test', {
    sub: '2',
    email: 'mallory@acme.test',
    email_verified: true,
    name: 'Mallory',
  });
  const through = async (shown: Page, email: string): Promise<void> => {
    await shown.goto('/dashboard/sign-in');
    await shown.getByRole('button', { name: 'Continue with Acme ID' }).click();
    await shown.getByLabel('E-mail').fill(email);
    await shown.getByRole('button', { name: 'Continue' }).click();
  };
  const { token } = await transaction(ui.pool, tx =>
    createInvitation(tx, {
      organizationId: ui.project.organizationId,
      email: 'grace@acme.test',
      role: 'member',
    }),
  );
  await inEveryLook(ui, folder, {}, async ({ page: outside, shoot: take }) => {
    await outside.goto('/dashboard/sign-in');
    await outside.getByRole('button', { name: 'Continue with Acme ID' }).waitFor();
    await take('sign-in-provider');
    await outside.goto(invitationLink(ui.baseUrl, token));
    await outside.getByRole('button', { name: 'Continue with Acme ID' }).waitFor();
    await take('invitation-provider');
    await through(outside, 'mallory@acme.test');
    await outside.getByRole('alert').waitFor();
    await take('sign-in-unknown');
    await through(outside, 'owner-1@acme.test');
    await outside.getByRole('heading', { name: 'Confirm your password' }).waitFor();
    await take('sign-in-confirm');
  });
} finally {
  await ui.close();
  await provider.stop();
  await github.stop();
  await services.stop();
}
