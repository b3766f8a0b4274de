import { createResetLink, createSetupLink } from '../../../db/people/invitations.ts';
import { transaction } from '../../../db/pool.ts';
import type {
  InvitationMade,
  InvitationView,
  MemberList,
  Session,
  SessionList,
} from '../../../api/dashboard/contract/people.ts';
import {
  invite,
  ORIGIN,
  PASSWORD,
  startDashboard,
  type TestDashboard,
  tokenOf,
} from './harness.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

const signIn = (email: string, password = PASSWORD) => ({ body: { email, password } });
const setupToken = async () =>
  (await transaction(dashboard.pool, tx => createSetupLink(tx, dashboard.tenant.organizationId)))
    ?.token;

describe('the first run', () => {
  it('has a link that ends after a day', async () => {
    const token = await setupToken();
    const { rows } = await dashboard.pool.query(
      'select extract(epoch from expires_at - now()) / 3600 as hours from invitations where email is null',
    );
    expect(Number(rows[0].hours)).toBeCloseTo(24, 1);
    await dashboard.pool.query('update invitations set expires_at = now() where email is null');
    const browser = dashboard.browser();
    expect((await browser.call('POST', '/invitation', { body: { token } })).statusCode).toBe(404);
    const late = await browser.call('POST', '/invitation/accept', {
      body: { token, email: 'late@acme.test', name: 'Late', password: PASSWORD },
    });
    expect([late.statusCode, late.json().error, browser.cookie]).toEqual([
      404,
      'This link was already used or has expired. Ask for a new one.',
      undefined,
    ]);
    expect(await browser.json('GET', '/setup')).toMatchObject({ needed: true });
  });

  it('has a link that makes the first owner, once', async () => {
    const old = await setupToken();
    const token = await setupToken(); // a second start voids the first one's link
    const browser = dashboard.browser();
    expect(await browser.json('GET', '/setup')).toEqual({ needed: true, provider: null });
    expect((await browser.call('POST', '/invitation', { body: { token: old } })).statusCode).toBe(
      404,
    );
    expect(await browser.json<InvitationView>('POST', '/invitation', { token })).toMatchObject({
      organization: 'acme',
      email: null,
      role: 'owner',
      account: false,
    });

    const short = await browser.call('POST', '/invitation/accept', {
      body: { token, email: 'ada@acme.test', name: 'Ada', password: 'short' },
    });
    expect([short.statusCode, short.json().errors]).toEqual([
      400,
      [{ path: 'password', message: 'must have at least 10 characters' }],
    ]);
    for (const missing of ['email', 'name']) {
      const body = {
        token,
        email: 'ada@acme.test',
        name: 'Ada',
        password: PASSWORD,
        [missing]: undefined,
      };
      expect(
        (await browser.call('POST', '/invitation/accept', { body })).json().errors[0].path,
      ).toBe(missing);
    }

    const accepted = await browser.call('POST', '/invitation/accept', {
      body: { token, email: 'ada@acme.test', name: 'Ada', password: PASSWORD },
    });
    expect(accepted.json<Session>()).toMatchObject({
      user: { email: 'ada@acme.test', name: 'Ada' },
      baseUrl: ORIGIN,
      offlineModel: true,
      effortModels: [],
      siteKinds: expect.arrayContaining([{ name: 'sphinx', title: 'Sphinx (Markdown)' }]),
      organizations: [
        {
          slug: 'acme',
          role: 'owner',
          projects: [{ id: dashboard.tenant.project.id, domain: 'acme-docs' }],
          operator: { taskQueue: dashboard.config.TASK_QUEUE },
        },
      ],
    });
    expect(accepted.headers['set-cookie']).toMatch(
      /^docent=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(accepted.headers['cache-control']).toBe('no-store');
    expect(
      (
        await browser.call('POST', '/invitation/accept', {
          body: { token, email: 'eve@acme.test', name: 'Eve', password: PASSWORD },
        })
      ).statusCode,
    ).toBe(404);
    expect(await browser.json('GET', '/setup')).toEqual({ needed: false, provider: null });
    expect(await setupToken()).toBeUndefined();
    expect((await browser.json<Session>('GET', '/session')).user.name).toBe('Ada');
  });

  it('makes one owner, whoever else opens the link at the same time', async () => {
    const fresh = await startDashboard();
    try {
      const made = await transaction(fresh.pool, tx =>
        createSetupLink(tx, fresh.tenant.organizationId),
      );
      const answers = await Promise.all(
        ['first', 'second', 'third'].map(name =>
          fresh.browser().call('POST', '/invitation/accept', {
            body: { token: made?.token, email: `${name}@acme.test`, name, password: PASSWORD },
          }),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
        200, 404, 404,
      ]);
      expect((await fresh.pool.query('select 1 from users')).rowCount).toBe(1);
      expect(
        (await fresh.pool.query(`select 1 from memberships where role = 'owner'`)).rowCount,
      ).toBe(1);
    } finally {
      await fresh.close();
    }
  });
});

describe('invitations', () => {
  it('of two organizations, opened at once by somebody new, make one account', async () => {
    const tokens = await Promise.all(
      [dashboard.tenant, dashboard.stranger].map(({ organizationId }) =>
        invite(dashboard.pool, organizationId, 'both@acme.test', 'viewer'),
      ),
    );
    const accept = (token: string) =>
      dashboard
        .browser()
        .call('POST', '/invitation/accept', { body: { token, name: 'Both', password: PASSWORD } });
    const answers = await Promise.all(tokens.map(accept));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    const left = tokens[answers.findIndex(({ statusCode }) => statusCode === 409)]!;
    expect((await accept(left)).json<Session>().organizations).toHaveLength(2);
  });

  it('make a member, once, under the address that was invited', async () => {
    const owner = dashboard.browser();
    await owner.call('POST', '/session', signIn('ada@acme.test'));
    const made = await owner.json<InvitationMade>('POST', '/organizations/acme/invitations', {
      email: 'bob@acme.test',
      role: 'member',
    });
    expect(made.link).toMatch(/^http:\/\/docent\.test\/dashboard\/invitation#[\w-]{43}$/);
    expect(
      (await owner.json<MemberList>('GET', '/organizations/acme/members')).invitations,
    ).toMatchObject([{ email: 'bob@acme.test', role: 'member' }]);
    const { rows } = await dashboard.pool.query(
      `select to_jsonb(i)::text as row from invitations i where email = 'bob@acme.test'`,
    );
    expect(rows[0].row).not.toContain(tokenOf(made));

    const bob = dashboard.browser();
    expect(await bob.json('POST', '/invitation', { token: tokenOf(made) })).toMatchObject({
      email: 'bob@acme.test',
      role: 'member',
      account: false,
    });
    const session = await bob.json<Session>('POST', '/invitation/accept', {
      token: tokenOf(made),
      email: 'mallory@acme.test',
      name: 'Bob',
      password: PASSWORD,
    });
    expect(session).toMatchObject({
      user: { email: 'bob@acme.test' },
      organizations: [{ slug: 'acme', role: 'member', operator: null }],
    });
    const list = await owner.json<MemberList>('GET', '/organizations/acme/members');
    expect(list.members.find(({ email }) => email === 'bob@acme.test')).toMatchObject({
      name: 'Bob',
      role: 'member',
    });
    expect(list.invitations).toEqual([]);
    expect(
      (
        await owner.call('POST', '/organizations/acme/invitations', {
          body: { email: 'BOB@acme.test', role: 'viewer' },
        })
      ).statusCode,
    ).toBe(409);
  });

  it('to somebody with an account take that account’s password', async () => {
    const token = await invite(
      dashboard.pool,
      dashboard.stranger.organizationId,
      'bob@acme.test',
      'viewer',
    );
    const browser = dashboard.browser();
    expect(await browser.json('POST', '/invitation', { token })).toMatchObject({ account: true });
    expect(
      (
        await browser.call('POST', '/invitation/accept', {
          body: { token, name: 'Not Bob', password: 'a guess of mine' },
        })
      ).statusCode,
    ).toBe(401);
    const session = await browser.json<Session>('POST', '/invitation/accept', {
      token,
      password: PASSWORD,
    });
    expect(session.organizations.map(({ slug, role }) => [slug, role])).toEqual([
      ['acme', 'member'],
      ['stranger', 'viewer'],
    ]);
  });

  it('end when they are withdrawn, replaced or a week old', async () => {
    const owner = dashboard.browser();
    await owner.call('POST', '/session', signIn('ada@acme.test'));
    const make = () =>
      owner.json<InvitationMade>('POST', '/organizations/acme/invitations', {
        email: 'late@acme.test',
        role: 'viewer',
      });
    const look = async (made: InvitationMade) =>
      (await dashboard.browser().call('POST', '/invitation', { body: { token: tokenOf(made) } }))
        .statusCode;
    const [first, second] = [await make(), await make()];
    expect([await look(first), await look(second)]).toEqual([404, 200]);
    const days = (Date.parse(second.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    await dashboard.pool.query('update invitations set expires_at = now() where id = $1', [
      second.id,
    ]);
    expect(await look(second)).toBe(404);
    expect(
      (
        await dashboard.browser().call('POST', '/invitation/accept', {
          body: { token: tokenOf(second), name: 'Late', password: PASSWORD },
        })
      ).statusCode,
    ).toBe(404);
    const third = await make();
    await owner.json('DELETE', `/organizations/acme/invitations/${third.id}`);
    expect(await look(third)).toBe(404);
  });
});

describe('sessions', () => {
  it('are stored hashed, and end by signing out', async () => {
    const browser = dashboard.browser();
    await browser.call('POST', '/session', signIn('ADA@acme.test'));
    const token = browser.cookie!.slice('docent='.length);
    const { rows } = await dashboard.pool.query('select to_jsonb(s)::text as row from sessions s');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(token);
    const kept = browser.cookie!;
    expect((await browser.call('DELETE', '/session')).statusCode).toBe(204);
    expect(browser.cookie).toBe('docent=');
    browser.cookie = kept;
    const after = await browser.call('GET', '/session');
    expect([after.statusCode, after.json().error, after.headers['www-authenticate']]).toEqual([
      401,
      'Sign in first.',
      undefined,
    ]);
  });

  it('change their token at every sign-in, and the one before is void', async () => {
    const browser = dashboard.browser();
    await browser.call('POST', '/session', signIn('ada@acme.test'));
    const before = browser.cookie!;
    await browser.call('POST', '/session', signIn('ada@acme.test'));
    expect(browser.cookie).not.toBe(before);
    browser.cookie = before;
    expect((await browser.call('GET', '/session')).statusCode).toBe(401);
  });

  it('can be seen and revoked by their own user only', async () => {
    const [here, there, bob] = [dashboard.browser(), dashboard.browser(), dashboard.browser()];
    await here.call('POST', '/session', {
      ...signIn('ada@acme.test'),
      headers: { 'user-agent': 'here' },
    });
    await there.call('POST', '/session', {
      ...signIn('ada@acme.test'),
      headers: { 'user-agent': 'there' },
    });
    await bob.call('POST', '/session', signIn('bob@acme.test'));
    const { sessions } = await here.json<SessionList>('GET', '/sessions');
    const other = sessions.find(({ userAgent }) => userAgent === 'there')!;
    expect(sessions.filter(({ current }) => current)).toMatchObject([
      { userAgent: 'here', address: '127.0.0.1' },
    ]);
    expect((await bob.call('DELETE', `/sessions/${other.id}`)).statusCode).toBe(404);
    expect((await there.call('GET', '/session')).statusCode).toBe(200);
    expect((await here.call('DELETE', `/sessions/${other.id}`)).statusCode).toBe(204);
    expect((await there.call('GET', '/session')).statusCode).toBe(401);
  });

  it.each([
    ['30 idle days', 'last_used_at', 30],
    ['90 days', 'created_at', 90],
  ])('end after %s', async (_, column, days) => {
    const browser = dashboard.browser();
    const { id } = await browser.json<Session>('POST', '/session', {
      email: 'ada@acme.test',
      password: PASSWORD,
    });
    const age = (hours: number) =>
      dashboard.pool.query(
        `update sessions set ${column} = now() - make_interval(days => $2, hours => $3) where id = $1`,
        [id, days, hours],
      );
    await age(-1);
    expect((await browser.call('GET', '/session')).statusCode).toBe(200);
    await age(1);
    expect((await browser.call('GET', '/session')).statusCode).toBe(401);
  });

  it('slide: use is noted', async () => {
    const browser = dashboard.browser();
    const { id } = await browser.json<Session>('POST', '/session', {
      email: 'ada@acme.test',
      password: PASSWORD,
    });
    await dashboard.pool.query(
      `update sessions set last_used_at = now() - interval '29 days' where id = $1`,
      [id],
    );
    await browser.json('GET', '/session');
    const { rows } = await dashboard.pool.query(
      `select last_used_at > now() - interval '1 minute' as fresh from sessions where id = $1`,
      [id],
    );
    expect(rows[0].fresh).toBe(true);
  });

  it('over https have a cookie that is bound to the host', async () => {
    const secure = await startDashboard({ PUBLIC_URL: 'https://docent.test' });
    try {
      const token = await invite(
        secure.pool,
        secure.tenant.organizationId,
        'ada@acme.test',
        'owner',
      );
      const answer = await secure.browser().call('POST', '/invitation/accept', {
        body: { token, name: 'Ada', password: PASSWORD },
        headers: { origin: 'https://docent.test' },
      });
      expect(answer.headers['set-cookie']).toMatch(
        /^__Host-docent=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    } finally {
      await secure.close();
    }
  });
});

describe('passwords', () => {
  it('change with the old one; other sessions end', async () => {
    const [here, there] = [dashboard.browser(), dashboard.browser()];
    await here.call('POST', '/session', signIn('bob@acme.test'));
    await there.call('POST', '/session', signIn('bob@acme.test'));
    const wrong = await here.call('POST', '/password', {
      body: { current: 'not mine at all', next: 'another long one' },
    });
    expect([wrong.statusCode, wrong.json().errors[0].path]).toEqual([400, 'current']);
    expect(
      (
        await here.call('POST', '/password', {
          body: { current: PASSWORD, next: 'another long one' },
        })
      ).statusCode,
    ).toBe(204);
    expect([
      (await here.call('GET', '/session')).statusCode,
      (await there.call('GET', '/session')).statusCode,
    ]).toEqual([200, 401]);
    expect((await there.call('POST', '/session', signIn('bob@acme.test'))).statusCode).toBe(401);
    expect(
      (await there.call('POST', '/session', signIn('bob@acme.test', 'another long one')))
        .statusCode,
    ).toBe(200);
  });

  it('are set anew by a one-time link, which ends every session', async () => {
    const before = dashboard.browser();
    await before.call('POST', '/session', signIn('bob@acme.test', 'another long one'));
    const {
      rows: [bob],
    } = await dashboard.pool.query(`select id from users where email = 'bob@acme.test'`);
    const old = await createResetLink(dashboard.pool, bob.id);
    const { token } = await createResetLink(dashboard.pool, bob.id);
    const browser = dashboard.browser();
    expect(
      (await browser.call('POST', '/reset', { body: { token: old.token, password: PASSWORD } }))
        .statusCode,
    ).toBe(404);
    expect(
      (await browser.json<Session>('POST', '/reset', { token, password: PASSWORD })).user.email,
    ).toBe('bob@acme.test');
    expect(
      (await browser.call('POST', '/reset', { body: { token, password: PASSWORD } })).statusCode,
    ).toBe(404);
    expect([
      (await browser.call('GET', '/session')).statusCode,
      (await before.call('GET', '/session')).statusCode,
    ]).toEqual([200, 401]);

    const late = await createResetLink(dashboard.pool, bob.id);
    await dashboard.pool.query('update reset_links set expires_at = now()');
    expect(
      (await browser.call('POST', '/reset', { body: { token: late.token, password: PASSWORD } }))
        .statusCode,
    ).toBe(404);
  });
});
