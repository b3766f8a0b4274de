import type { Page } from 'playwright-core';
import { invitationLink } from '../../../shared/links.ts';
import { createInvitation } from '../../../db/people/invitations.ts';
import { transaction } from '../../../db/pool.ts';
import { OidcProvider } from '../oidc-provider.ts';
import { findingsInBothThemes } from './axe.ts';
import { PASSWORD, startUi, type Ui } from './harness.ts';

let provider: OidcProvider;
let ui: Ui;
beforeAll(async () => {
  provider = await new OidcProvider().start();
  ui = await startUi({ noWorker: true, env: provider.settings });
  await ui.signedIn('owner'); // owner-1@acme.test
  for (const [sub, email] of [
    ['1', 'owner-1@acme.test'],
    ['2', 'grace@acme.test'],
    ['3', 'mallory@acme.test'],
  ] as const) {
    provider.people.set(email, { sub, email, email_verified: true, name: email.split('@', 1)[0]! });
  }
}, 120_000);
afterAll(async () => {
  await ui?.close();
  await provider?.stop();
});

async function through(page: Page, email: string | null): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Acme ID' }).click();
  await page.getByRole('heading', { name: 'Sign in with Acme ID' }).waitFor();
  if (email === null) return page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** All that was complained of but the way to the provider, which is meant. */
const unexpected = (complaints: string[]) =>
  complaints.filter(each => !each.startsWith(`a request to ${provider.issuer}/`));

describe('single sign-on', () => {
  it('joins the invited, who then come in without a password', async () => {
    const { token } = await transaction(ui.pool, tx =>
      createInvitation(tx, {
        organizationId: ui.project.organizationId,
        email: 'grace@acme.test',
        role: 'member',
      }),
    );
    const { page, complaints } = await ui.visitor();
    await page.goto(invitationLink(ui.baseUrl, token));
    await page.getByText('You are invited as member').waitFor();
    await page.getByRole('button', { name: 'Continue with Acme ID' }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await through(page, 'grace@acme.test');
    await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    expect(new URL(page.url()).search).toBe('');

    await page.getByRole('button', { name: /^grace.*account$/ }).click();
    await page.getByRole('link', { name: 'Account and sessions' }).click();
    await page.getByText('This account has no password.').waitFor();
    await page.getByText(/^Acme ID has signed you in since /).waitFor();
    expect(await page.getByRole('button', { name: 'Unlink' }).count()).toBe(0);
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: /^grace.*account$/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await through(page, 'grace@acme.test');
    await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    expect(unexpected(complaints)).toEqual([]);
  });

  it('returns to the requested page, links an account and unlinks it', async () => {
    const { page, complaints } = await ui.visitor();
    await page.goto('/dashboard/acme/acme/jobs?status=failed');
    await through(page, 'owner-1@acme.test');
    await page.getByRole('heading', { name: 'Confirm your password' }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Link and sign in' }).click();
    await page.getByText('Is not your password.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Link and sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    expect(page.url()).toBe(`${ui.baseUrl}/dashboard/acme/acme/jobs?status=failed`);

    await page.goto('/dashboard/-/account');
    await page.getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('Not linked.').waitFor();
    expect(unexpected(complaints)).toEqual([]);
  });

  it.each<[string, string | null, RegExp]>([
    [
      'says who is not known',
      'mallory@acme.test',
      /Your account mallory@acme\.test is not known here: ask an owner/,
    ],
    ['says that somebody turned back', null, /Sign-in with Acme ID was denied or cancelled/],
  ])('%s, and leads back', async (_, email, sentence) => {
    const { page } = await ui.visitor();
    await page.goto('/dashboard/sign-in');
    await through(page, email);
    await page.getByRole('alert').getByText(sentence).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.reload();
    await page
      .getByRole('alert')
      .getByText(/This sign-in was already used/)
      .waitFor();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
  });

  it('says where it was asked that the provider is down', async () => {
    const { page } = await ui.visitor();
    await page.goto('/dashboard/sign-in');
    await page.route('**/api/dashboard/sign-on', route =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: '{"detail":"Acme ID cannot be reached."}',
      }),
    );
    await page.getByRole('button', { name: 'Continue with Acme ID' }).click();
    await page.getByRole('alert').getByText('Acme ID cannot be reached.').waitFor();
  });
});

it('goes on to addresses of its own only', async () => {
  const { page, complaints } = await ui.visitor();
  for (const next of ['//evil.test/', '/\\evil.test/', 'https://evil.test/']) {
    await page.goto(`/dashboard/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByLabel('E-mail').fill('owner-1@acme.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    expect(new URL(page.url()).origin).toBe(ui.baseUrl);
  }
  expect(complaints).toEqual([]);
});
