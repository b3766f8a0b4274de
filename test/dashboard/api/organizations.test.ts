import type {
  OrganizationList,
  OrganizationMade,
} from '../../../api/dashboard/contract/organizations.ts';
import type { Session } from '../../../api/dashboard/contract/people.ts';
import { type Browser, PASSWORD, startDashboard, type TestDashboard, tokenOf } from './harness.ts';

let dashboard: TestDashboard;
let manager: Browser;
beforeAll(async () => {
  dashboard = await startDashboard();
  manager = await dashboard.signIn('owner@acme.test', 'owner');
});
afterAll(() => dashboard.close());

it('are made by an owner of the first one, who does not become a member', async () => {
  const made = await manager.json<OrganizationMade>('POST', '/organizations', {
    slug: 'beta',
    name: ' Beta ',
    owner: 'first@beta.test',
  });
  expect(made).toMatchObject({ slug: 'beta', name: 'Beta', owner: 'first@beta.test' });
  const first = dashboard.browser();
  const session = await first.json<Session>('POST', '/invitation/accept', {
    token: tokenOf(made),
    name: 'First',
    password: PASSWORD,
  });
  expect(session).toMatchObject({
    managesOrganizations: false,
    organizations: [{ slug: 'beta', name: 'Beta', role: 'owner', projects: [] }],
  });
  expect((await manager.call('GET', '/organizations/beta/members')).statusCode).toBe(404);
  const { organizations } = await manager.json<OrganizationList>('GET', '/organizations');
  expect(organizations.map(({ slug, members }) => [slug, members])).toEqual([
    ['acme', 1],
    ['stranger', 0],
    ['beta', 1],
  ]);
  expect((await manager.json<Session>('GET', '/session')).managesOrganizations).toBe(true);
});

it('cannot be seen or made by anybody else', async () => {
  const others = [
    await dashboard.signIn('member@acme.test', 'member'),
    await dashboard.signIn('owner@stranger.test', 'owner', dashboard.stranger.organizationId),
  ];
  const body = { slug: 'gamma', name: 'Gamma', owner: 'x@gamma.test' };
  for (const other of others) {
    expect((await other.call('GET', '/organizations')).statusCode).toBe(403);
    expect((await other.call('POST', '/organizations', { body })).statusCode).toBe(403);
  }
  expect((await dashboard.browser().call('GET', '/organizations')).statusCode).toBe(401);
});

it.each([
  ['acme', 409, 'is taken'],
  ['sign-in', 400, 'is the address of a page'],
  ['-', 400, expect.stringContaining('lower-case')],
  ['Beta', 400, expect.stringContaining('lower-case')],
  ['a/b', 400, expect.stringContaining('lower-case')],
])('refuse the slug %s', async (slug, status, message) => {
  const answer = await manager.call('POST', '/organizations', {
    body: { slug, name: 'x', owner: 'x@x.test' },
  });
  expect([answer.statusCode, answer.json().errors]).toEqual([status, [{ path: 'slug', message }]]);
});
