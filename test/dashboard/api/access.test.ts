import fastify from 'fastify';
import { registerAccess } from '../../../api/dashboard/access.ts';
import { sessionCookie } from '../../../api/dashboard/people/secret-cookie.ts';
import type { Role } from '../../../api/dashboard/contract/people.ts';
import { createProject } from '../../../db/projects/projects.ts';
import { newId } from '../../../shared/ids.ts';
import { withRoutes } from '../../api/matrix/registered-routes.ts';
import { ROLES, ROUTES, SCOPED, title } from './contract.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

const SELF = ROUTES.filter(({ who }) => who === 'self');

let dashboard: TestDashboard;
let registered: string[];
let users: Record<Role, Browser>;
let stranger: Browser;
beforeAll(async () => {
  [dashboard, registered] = await withRoutes(() => startDashboard());
  users = {
    viewer: await dashboard.signIn('viewer@acme.test', 'viewer'),
    member: await dashboard.signIn('member@acme.test', 'member'),
    owner: await dashboard.signIn('owner@acme.test', 'owner'),
  };
  stranger = await dashboard.signIn(
    'owner@stranger.test',
    'owner',
    dashboard.stranger.organizationId,
  );
});
afterAll(() => dashboard.close());

const fill = (path: string, organization = 'acme', projectId = dashboard.tenant.project.id) =>
  path
    .replace(':organization', organization)
    .replace(':projectId', projectId)
    .replace(':userId', 'usr_unknown')
    .replace(':number', '1')
    .replace(':turn/:step', '1/1')
    .replace(':id', newId('job'));

it('has every route of the contract, and no other', () => {
  const ours = registered.filter(route => route.includes(' /api/dashboard/'));
  const names = ours.map(route => route.replace(' /api/dashboard', ' '));
  expect(names.toSorted()).toEqual(ROUTES.map(title).toSorted());
  expect(SCOPED.length).toBeGreaterThan(30);
});

it('refuses to register a route without an access rule, or with one that its path cannot meet', () => {
  const scope = fastify();
  const publicUrl = 'http://docent.test';
  registerAccess(scope, { pool: dashboard.pool, cookie: sessionCookie(publicUrl), publicUrl });
  const handler = async () => 'open';
  expect(() => scope.get('/x', handler)).toThrow(/who may call/);
  expect(() => scope.get('/x', { config: { who: 'owner' } }, handler)).toThrow(/owner/);
  expect(() => scope.get('/projects/:projectId', { config: { who: 'anybody' } }, handler)).toThrow(
    /anybody/,
  );
  scope.get('/x', { config: { who: 'self' } }, handler);
});

it('answers 401 to whoever is not signed in', async () => {
  for (const route of [...SCOPED, ...SELF]) {
    for (const cookie of [
      undefined,
      'docent=',
      `docent=${'x'.repeat(43)}`,
      `other=${users.owner.cookie!.slice(7)}`,
    ]) {
      const browser = dashboard.browser();
      browser.cookie = cookie;
      const answer = await browser.call(route.method, fill(route.path));
      expect([title(route), answer.statusCode]).toEqual([title(route), 401]);
    }
  }
});

it('knows sessions by the cookie only: no key opens a route', async () => {
  for (const route of [...SCOPED, ...SELF]) {
    const answer = await dashboard.browser().call(route.method, fill(route.path), {
      headers: { authorization: `Bearer ${dashboard.tenant.adminKey}` },
    });
    expect([title(route), answer.statusCode]).toEqual([title(route), 401]);
  }
});

it('answers 404 to other organizations and to members no longer, the same as for what never was', async () => {
  const former = await dashboard.signIn('former@acme.test', 'owner');
  await dashboard.pool.query(
    `delete from memberships where user_id = (select id from users where email = 'former@acme.test')`,
  );
  for (const outsider of [stranger, former]) {
    for (const route of SCOPED) {
      const theirs = await outsider.call(route.method, fill(route.path), { body: {} });
      const unknown = await outsider.call(
        route.method,
        fill(route.path, 'unknown', 'prj_unknown'),
        { body: {} },
      );
      expect([title(route), theirs.statusCode]).toEqual([title(route), 404]);
      expect({ ...theirs.json(), instance: '' }).toEqual({ ...unknown.json(), instance: '' });
    }
  }
});

it('answers 403 to a lesser role, and lets the role through', async () => {
  for (const route of SCOPED) {
    for (const role of ROLES) {
      const { id } = await createProject(dashboard.pool, {
        organizationId: dashboard.tenant.organizationId,
        name: 'x',
        domain: newId('prj').replace('_', '-'),
        host: 'local',
        repository: 'none',
        repositoryUrl: 'http://x',
        baseRef: 'main',
      });
      const answer = await users[role].call(route.method, fill(route.path, 'acme', id), {
        body: {},
      });
      const allowed = ROLES.indexOf(role) >= ROLES.indexOf(route.who);
      if (allowed)
        expect([
          title(route),
          role,
          [401, 403].includes(answer.statusCode),
          // 503: the repository of this project cannot be reached.
          answer.statusCode < 500 || answer.statusCode === 503,
        ]).toEqual([title(route), role, false, true]);
      else expect([title(route), role, answer.statusCode]).toEqual([title(route), role, 403]);
    }
  }
});

it('takes what changes something from its own pages only', async () => {
  const changing = ROUTES.filter(({ method }) => method !== 'GET');
  const forged: Record<string, string | undefined>[] = [
    { origin: undefined, 'sec-fetch-site': undefined },
    { origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://evil.test', 'sec-fetch-site': undefined },
    { origin: 'http://other.docent.test', 'sec-fetch-site': 'same-site' },
    { origin: 'http://docent.test.evil.test', 'sec-fetch-site': undefined },
    { origin: 'null', 'sec-fetch-site': undefined },
    { origin: 'http://docent.test', 'sec-fetch-site': 'cross-site' },
  ];
  for (const route of changing) {
    for (const headers of forged) {
      const answer = await dashboard.app.inject({
        method: route.method,
        url: `/api/dashboard${fill(route.path)}`,
        payload: {},
        headers: {
          host: 'docent.test',
          cookie: users.owner.cookie!,
          ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
        },
      });
      expect([title(route), headers, answer.statusCode]).toEqual([title(route), headers, 403]);
    }
  }
});

it('takes JSON only, which no form can send', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]) {
    const answer = await dashboard.app.inject({
      method: 'POST',
      url: '/api/dashboard/session',
      payload: '{"email":"owner@acme.test","password":"x"}',
      headers: { host: 'docent.test', origin: 'http://docent.test', 'content-type': type },
    });
    expect(answer.statusCode).toBe(415);
  }
});

it('answers to the name that the browser uses, behind a proxy too', async () => {
  const read = (headers: Record<string, string>) =>
    users.owner.call('PATCH', '/profile', { body: { name: 'Owner' }, headers });
  expect((await read({ host: 'localhost:3000', origin: 'http://localhost:3000' })).statusCode).toBe(
    200,
  );
  expect((await read({ host: 'internal:3000', origin: 'http://docent.test' })).statusCode).toBe(
    200,
  ); // PUBLIC_URL
  expect((await read({ host: 'localhost:3000', origin: 'http://localhost:4000' })).statusCode).toBe(
    403,
  );
});

it('gives other sites nothing to read', async () => {
  const answer = await users.owner.call('GET', '/session', {
    headers: { origin: 'http://evil.test' },
  });
  expect(Object.keys(answer.headers).filter(name => name.startsWith('access-control'))).toEqual([]);
  expect(answer.headers['cache-control']).toBe('no-store');
});

it('is no part of the public document', async () => {
  expect((await dashboard.app.inject('/openapi.json')).body).not.toContain('/api/dashboard');
});

describe('members', () => {
  const member = async (email: string) =>
    (
      await users.owner.json<{ members: { userId: string; email: string }[] }>(
        'GET',
        '/organizations/acme/members',
      )
    ).members.find(each => each.email === email)!;

  it('lose what a role gave them at once', async () => {
    const carol = await dashboard.signIn('carol@acme.test', 'owner');
    const { userId } = await member('carol@acme.test');
    const invite = () =>
      carol.call('POST', '/organizations/acme/invitations', {
        body: { email: `${newId('usr')}@acme.test`, role: 'viewer' },
      });
    expect((await invite()).statusCode).toBe(200);
    await users.owner.json('PATCH', `/organizations/acme/members/${userId}`, { role: 'viewer' });
    expect((await invite()).statusCode).toBe(403);
    expect(
      (await carol.json<{ invitations: unknown[] }>('GET', '/organizations/acme/members'))
        .invitations,
    ).toEqual([]);
    await users.owner.json('DELETE', `/organizations/acme/members/${userId}`);
    expect((await carol.call('GET', '/organizations/acme/members')).statusCode).toBe(404);
    expect(
      (await carol.json<{ organizations: unknown[] }>('GET', '/session')).organizations,
    ).toEqual([]);
  });

  it('always hold an owner', async () => {
    const { userId } = await member('owner@acme.test');
    for (const [method, body] of [
      ['PATCH', { role: 'member' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await users.owner.call(method, `/organizations/acme/members/${userId}`, {
        ...(body && { body }),
      });
      expect([answer.statusCode, answer.json().error]).toEqual([
        409,
        'An organization needs an owner: make another member an owner first.',
      ]);
    }
    expect(
      (
        await users.owner.call('PATCH', '/organizations/acme/members/usr_unknown', {
          body: { role: 'member' },
        })
      ).statusCode,
    ).toBe(404);
  });
});
