import { resetLink } from '../../../shared/links.ts';
import { createResetLink } from '../../../db/people/invitations.ts';
import { findUserByEmail } from '../../../db/people/users.ts';
import { findingsInBothThemes } from './axe.ts';
import { startUi, PASSWORD, type Ui, type Visitor } from './harness.ts';
import { slowly } from '../../support/slow.ts';

let ui: Ui;
beforeAll(async () => {
  ui = await startUi({ noWorker: true });
}, 120_000);
afterAll(async () => ui?.close());

// One story in order: the first run happens once.
describe('the doors', () => {
  it('says where the first link is, and makes the first owner from it, once', async () => {
    const { page, complaints } = await ui.visitor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Create the first account' }).waitFor();
    await page.getByText('npx docent user setup').waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);

    const link = await ui.setupLink();
    await page.goto(link);
    await page.getByLabel('E-mail').fill('ada@acme.test');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill('short');
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Must have at least 10 characters.').waitFor();
    expect(await page.getByText('At least 10 characters.', { exact: true }).count()).toBe(0);
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/acme/acme');

    const { page: second } = await ui.visitor();
    await second.goto(link);
    await second.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('signs in, says when that is wrong, and leads to where somebody was going', async () => {
    const { page } = await ui.visitor();
    await page.goto('/dashboard/acme/acme/jobs?outcome=failed');
    await page.getByLabel('E-mail').fill('ada@acme.test');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('alert')
      .getByText('The e-mail address or the password is wrong.')
      .waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    expect(page.url()).toBe(`${ui.baseUrl}/dashboard/acme/acme/jobs?outcome=failed`);
    // What no page knows goes from the address.
    await page.goto('/dashboard/acme/acme/jobs?outcome=bogus&since=0002-11-26');
    await page.getByText('No jobs yet').first().waitFor();
    expect(page.url()).toBe(`${ui.baseUrl}/dashboard/acme/acme/jobs`);

    const signOut = async () => {
      await page.getByRole('button', { name: /^Ada.*account$/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
    };
    await page.route('**/api/dashboard/session', route =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await signOut();
    await page
      .getByRole('alert')
      .getByText('You are still signed in. The server could not be reached.')
      .waitFor();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.unrouteAll();
    await signOut();
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    await page.goto('/dashboard/acme/acme');
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
  });

  it('asks for the password over a page whose session ends, and keeps what was typed', async () => {
    const { page, complaints } = await ui.signedIn('owner');
    await page.goto('/dashboard/acme/acme/settings');
    await page.getByLabel('Site address').fill('https://docs.acme.test');
    let sessions = 0;
    page.on('request', request => {
      if (request.url().endsWith('/api/dashboard/session')) sessions += 1;
    });
    await ui.pool.query('delete from sessions');
    await page.getByRole('button', { name: 'Save' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await dialog.getByLabel('Password').fill('not the password');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Site address').inputValue()).toBe('https://docs.acme.test');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect(sessions).toBeLessThan(8);

    // Signed in again in another tab.
    await ui.pool.query('delete from sessions');
    await page.getByRole('link', { name: 'Pull requests' }).click();
    await dialog.waitFor();
    const other = await page.context().newPage();
    await other.goto('/dashboard/sign-in');
    const [{ email }] = (
      await ui.pool.query<{ email: string }>(
        'select email from users order by created_at desc limit 1',
      )
    ).rows as [{ email: string }];
    await other.getByLabel('E-mail').fill(email);
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    await other.close();
    await page.evaluate('dispatchEvent(new Event("focus"))');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Pull requests' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('invites with a link that is shown once, changes roles and removes people', async () => {
    const owner = await ui.signedIn('owner');
    const { page } = owner;
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('grace@acme.test');
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByRole('region', { name: 'invitation link' }).innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Pending invitations' }).waitFor();

    const guest = await ui.visitor();
    await guest.page.goto(link);
    await guest.page.getByText('You are invited as viewer').waitFor();
    await guest.page.getByLabel('Name').fill('Grace');
    await guest.page.getByLabel('Password').fill(PASSWORD);
    await guest.page.getByRole('button', { name: 'Create account' }).click();
    await guest.page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    expect(await guest.page.getByLabel('Instruction for the agent').count()).toBe(0);
    await guest.page.getByRole('link', { name: 'API keys' }).click();
    await guest.page.getByText('Base URL').waitFor();
    expect(await guest.page.getByRole('button', { name: 'New key' }).count()).toBe(0);

    await page.reload();
    const changed = page.waitForResponse(
      response => response.request().method() === 'PATCH' && response.ok(),
    );
    await page.getByLabel('Role of Grace').selectOption('member');
    await changed;
    await guest.page.reload();
    await guest.page.getByRole('link', { name: 'Overview' }).click();
    await guest.page.getByLabel('Instruction for the agent').waitFor();

    await page.getByRole('button', { name: 'Remove Grace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await guest.page.reload();
    await guest.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(owner.complaints).toEqual([]);
  });

  slowly('shows where somebody is signed in, and ends other sessions', async () => {
    const [here, there] = [await ui.visitor(), await ui.visitor()];
    for (const { page } of [here, there]) {
      await page.goto('/dashboard/sign-in');
      await page.getByLabel('E-mail').fill('ada@acme.test');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    }
    await here.page.getByRole('button', { name: /^Ada.*account$/ }).click();
    await here.page.getByRole('link', { name: 'Account and sessions' }).click();
    await here.page.getByText('this session').waitFor();
    await here.page
      .getByRole('button', { name: /^Sign out .* at / })
      .first()
      .click();
    await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await here.page.getByRole('dialog').waitFor({ state: 'detached' });
    await there.page.getByRole('button', { name: /^Ada.*account$/ }).click();
    await there.page.getByRole('button', { name: 'Sign out' }).click(); // of what has ended already
    await there.page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    await there.page.goto('/dashboard/acme');
    await there.page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();

    await here.page.getByLabel('Name').fill('Ada L.');
    await here.page.getByRole('button', { name: 'Save' }).click();
    await here.page.getByRole('status').getByText('Saved.').waitFor();
    await here.page.getByRole('button', { name: /^Ada L\..*account$/ }).waitFor();
    await here.page.getByLabel('Current password').fill('wrong');
    await here.page.getByLabel('New password').fill('another good password');
    await here.page.getByRole('button', { name: 'Change password' }).click();
    await here.page.getByText('Is not your password.').waitFor();
    expect(here.complaints).toEqual([]);
  });

  slowly('withdraws an invitation, whose link then opens nothing', async () => {
    const { page, complaints } = await ui.signedIn('owner');
    await page.goto('/dashboard/acme/-/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('eve.of.the.documentation@department.of.acme.test');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByRole('region', { name: 'invitation link' }).innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    const guest = await ui.visitor();
    await guest.page.goto(link);
    await guest.page.getByLabel('Name').fill('Eve');
    await guest.page.getByLabel('Password').fill(PASSWORD);

    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page
      .getByRole('button', { name: 'Withdraw eve.of.the.documentation@department.of.acme.test' })
      .click();
    await page
      .getByRole('dialog', { name: 'Withdraw the invitation?' })
      .getByRole('button', { name: 'Withdraw' })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .getByText('eve.of.the.documentation@department.of.acme.test')
      .waitFor({ state: 'detached' });

    // The form was open already.
    await guest.page.getByRole('button', { name: 'Create account' }).click();
    await guest.page
      .getByRole('alert')
      .getByText('This link was already used or has expired')
      .waitFor();
    await guest.page.reload();
    await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await guest.page.getByRole('link', { name: 'Back to sign-in' }).click();
    await guest.page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('sets a new password by a one-time link, which ends every session there was', async () => {
    const signIn = async ({ page }: Visitor, password: string) => {
      await page.goto('/dashboard/sign-in');
      await page.getByLabel('E-mail').fill('ada@acme.test');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    const before = await ui.visitor();
    await signIn(before, PASSWORD);
    await before.page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();

    const ada = await findUserByEmail(ui.pool, 'ada@acme.test');
    // As `docent user link` prints it.
    const link = resetLink(ui.baseUrl, (await createResetLink(ui.pool, ada!.id)).token);
    const { page, complaints } = await ui.visitor();
    await page.goto(link);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByText('Must be a string of 10 to 1000 characters').waitFor();
    await page.getByLabel('New password').fill('a new good password');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();

    await before.page.reload();
    await before.page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    await signIn(before, PASSWORD);
    await before.page
      .getByRole('alert')
      .getByText('The e-mail address or the password is wrong.')
      .waitFor();
    await signIn(before, 'a new good password');
    await before.page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
    await before.page.goto(link);
    await before.page.getByLabel('New password').fill('once more, by the same link');
    await before.page.getByRole('button', { name: 'Save and sign in' }).click();
    await before.page
      .getByRole('alert')
      .getByText('This link was already used or has expired')
      .waitFor();
    expect(complaints).toEqual([]);
  });
});
