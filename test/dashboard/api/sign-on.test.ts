import type {
  Account,
  MemberList,
  Session,
  SignOnAnswer,
  SignOnBegun,
} from '../../../api/dashboard/contract/people.ts';
import { deleteUser } from '../../../db/people/users.ts';
import type { Person } from '../oidc-provider.ts';
import { ORIGIN, PASSWORD } from './harness.ts';
import { refused, type SignOnStack, STALE, startSignOn } from './sign-on-harness.ts';

let stack: SignOnStack;
let dashboard: SignOnStack['dashboard'];
let provider: SignOnStack['provider'];
beforeAll(async () => {
  stack = await startSignOn();
  ({ dashboard, provider } = stack);
});
afterAll(async () => stack?.close());
beforeEach(() => dashboard.pool.query('delete from limit_counts'));

describe('whom it lets in', () => {
  it('the invited, under the address that the provider vouches for, without a password', async () => {
    const person = stack.somebody();
    await stack.invited(person.email.toUpperCase());
    const browser = dashboard.browser();
    const answer = await stack.signOn(person.email, browser);
    expect(answer.json<SignOnAnswer>()).toMatchObject({
      session: {
        user: { email: person.email, name: person.name },
        organizations: [{ slug: 'acme', role: 'member' }],
      },
    });
    const { rows: acts } = await dashboard.pool.query(
      'select action, details from audit_log where actor_name = $1 order by at, action',
      [person.email],
    );
    expect(acts).toEqual(
      expect.arrayContaining([
        { action: 'sign_on.linked', details: { issuer: expect.stringMatching(/^http/) } },
        { action: 'member.joined', details: { role: 'member' } },
        { action: 'sign_in.succeeded', details: { by: 'provider' } },
      ]),
    );
    expect((await browser.json<Session>('GET', '/session')).user.email).toBe(person.email);
    expect(await browser.json<Account>('GET', '/account')).toEqual({
      hasPassword: false,
      linkedAt: expect.stringMatching(/^20/),
    });
    expect(refused(await browser.call('DELETE', '/account/sign-on'))[0]).toBe(409);
    expect(
      (
        await dashboard
          .browser()
          .call('POST', '/session', { body: { email: person.email, password: 'null' } })
      ).statusCode,
    ).toBe(401);
  });

  it('whom it let in before, by subject, whatever their address is now', async () => {
    const person = stack.somebody();
    await stack.invited(person.email);
    await stack.signOn(person.email);
    provider.people.set('renamed@acme.test', {
      ...person,
      email: 'renamed@acme.test',
      email_verified: false,
    });
    expect((await stack.signOn('renamed@acme.test')).json<SignOnAnswer>().session?.user.email).toBe(
      person.email,
    );
  });

  it('nobody else: no account is made, and the sentence says what to do', async () => {
    const stranger = stack.somebody();
    expect(refused(await stack.signOn(stranger.email))).toEqual([
      403,
      `Your account ${stranger.email} is not known here: ask an owner of your organization for an invitation.`,
    ]);
    const { rows } = await dashboard.pool.query('select 1 from users where email = $1', [
      stranger.email,
    ]);
    expect(rows).toEqual([]);
  });

  it('nobody with an invitation that was withdrawn, used or has run out', async () => {
    const person = stack.somebody();
    await stack.invited(person.email);
    await dashboard.pool.query('update invitations set expires_at = now() where email = $1', [
      person.email,
    ]);
    expect((await stack.signOn(person.email)).statusCode).toBe(403);
    await stack.invited(person.email);
    expect((await stack.signOn(person.email)).statusCode).toBe(200);
    await dashboard.pool.query('delete from users where email = $1', [person.email]);
    expect((await stack.signOn(person.email)).statusCode).toBe(403);
  });

  it.each([
    ['unverified', { email_verified: false }],
    ['said to be verified by a text', { email_verified: 'true' }],
    ['not said to be verified', { email_verified: undefined }],
  ])('nobody whose address is %s', async (_, claims) => {
    const person = stack.somebody(claims as Partial<Person>);
    await stack.invited(person.email);
    expect(refused(await stack.signOn(person.email))).toEqual([
      403,
      'Acme ID has not verified your e-mail address (email_verified), so it cannot be used to sign in here.',
    ]);
  });

  it('nobody under an address that turns into the invited one in lower case only', async () => {
    const person = stack.somebody({ email: 'mike@acme.test' });
    await stack.invited(person.email);
    provider.people.set('kelvin', {
      sub: 'kelvin',
      email: 'mi\u212Ae@acme.test',
      email_verified: true,
    });
    expect((await stack.signOn('kelvin')).statusCode).toBe(403);
    expect((await stack.signOn(person.email)).statusCode).toBe(200);
  });

  it('people with odd characters in their name, by the rest of it', async () => {
    const person = stack.somebody({ name: 'Ada\u0000\nLovelace ' });
    await stack.invited(person.email);
    expect((await stack.signOn(person.email)).json<SignOnAnswer>().session?.user.name).toBe(
      'Ada  Lovelace',
    );
  });

  it('an account with a password once that password has confirmed it', async () => {
    const person = stack.somebody();
    await dashboard.signIn(person.email, 'member');
    const browser = dashboard.browser();
    expect((await stack.signOn(person.email, browser)).json()).toEqual({ confirm: person.email });
    expect(browser.cookie).toBeUndefined();
    const confirm = (password: string, by = browser) =>
      by.call('POST', '/sign-on/confirm', { body: { password } });
    expect((await confirm('not the password')).json().errors).toEqual([
      { path: 'password', message: 'is not your password' },
    ]);
    expect(refused(await confirm(PASSWORD, dashboard.browser()))).toEqual([400, STALE]);
    expect((await confirm(PASSWORD)).json<Session>().user.email).toBe(person.email);
    expect(refused(await confirm(PASSWORD))).toEqual([400, STALE]);

    const again = dashboard.browser();
    expect((await stack.signOn(person.email, again)).json<SignOnAnswer>().session?.user.email).toBe(
      person.email,
    );
    expect(await again.json<Account>('DELETE', '/account/sign-on')).toEqual({
      hasPassword: true,
      linkedAt: null,
    });
    expect((await stack.signOn(person.email)).json()).toEqual({ confirm: person.email });
  });

  it('not the next holder of an address', async () => {
    const person = stack.somebody();
    await stack.invited(person.email);
    await stack.signOn(person.email);
    provider.people.set(person.email, { ...person, sub: 'somebody-else' });
    expect(refused(await stack.signOn(person.email))).toEqual([
      403,
      expect.stringContaining(`${person.email} is linked to another account at Acme ID.`),
    ]);
  });

  it('into every organization that invites the address', async () => {
    const person = stack.somebody();
    await stack.invited(person.email);
    await stack.signOn(person.email);
    await stack.invited(person.email, 'viewer', dashboard.stranger.organizationId);
    const session = (await stack.signOn(person.email)).json<SignOnAnswer>().session!;
    expect(session.organizations.map(({ slug, role }) => [slug, role])).toEqual([
      ['acme', 'member'],
      ['stranger', 'viewer'],
    ]);
    const owner = await dashboard.signIn('owner@acme.test', 'owner');
    expect(
      (await owner.json<MemberList>('GET', '/organizations/acme/members')).invitations.map(
        ({ email }) => email,
      ),
    ).not.toContain(person.email);
  });

  it('nobody whose membership or account was removed, though an older invitation was still open', async () => {
    const person = stack.somebody();
    await stack.invited(person.email);
    const { id } = (await stack.signOn(person.email)).json<SignOnAnswer>().session!.user;
    await stack.invited(person.email, 'member'); // as `docent user invite` may
    const owner = await dashboard.signIn('remover@acme.test', 'owner');
    await owner.json('DELETE', `/organizations/acme/members/${id}`);
    expect((await stack.signOn(person.email)).json<SignOnAnswer>().session?.organizations).toEqual(
      [],
    );
    await stack.invited(person.email);
    expect(await deleteUser(dashboard.pool, person.email)).toBe(true);
    expect((await stack.signOn(person.email)).statusCode).toBe(403);
  });

  it('once, where two windows of somebody new return together', async () => {
    const person = stack.somebody();
    await stack.invited(person.email);
    const windows = await Promise.all([stack.begin(), stack.begin()]);
    const answers = await Promise.all(
      windows.map(async ({ browser, url }) =>
        browser.call('POST', '/sign-on/callback', {
          body: { query: await provider.visit(url, person.email) },
        }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0);
    for (const { statusCode } of answers) expect([200, 403, 409]).toContain(statusCode);
    const { rows } = await dashboard.pool.query('select 1 from users where email = $1', [
      person.email,
    ]);
    expect(rows).toHaveLength(1);
  });
});

it('sends the browser where the provider said, with what the protocol asks, and binds it by a cookie', async () => {
  const browser = dashboard.browser();
  const answer = await browser.call('POST', '/sign-on');
  const { origin, pathname, searchParams: query } = new URL(answer.json<SignOnBegun>().url);
  expect(`${origin}${pathname}`).toBe(`${provider.issuer}/authorize`);
  expect(Object.fromEntries(query)).toEqual({
    client_id: 'docent',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${ORIGIN}/dashboard/sign-in/callback`,
    code_challenge_method: 'S256',
    ...Object.fromEntries(
      ['state', 'nonce', 'code_challenge'].map(name => [
        name,
        expect.stringMatching(/^[\w-]{43}$/),
      ]),
    ),
  });
  expect(answer.headers['set-cookie']).toMatch(
    /^docent-sign-on=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  );
});

it('is limited by address', async () => {
  const attempt = () =>
    dashboard.browser().call('POST', '/sign-on', { remoteAddress: '192.0.2.9' });
  expect((await attempt()).statusCode).toBe(200);
  await dashboard.pool.query(
    `update limit_counts set n = 59 where scope = 'sign_in_address' and id = '192.0.2.9'`,
  );
  expect((await attempt()).statusCode).toBe(200);
  const last = await attempt();
  expect([
    last.statusCode,
    Number(last.headers['retry-after']) > 0,
    last.headers['set-cookie'],
  ]).toEqual([429, true, undefined]);
});
