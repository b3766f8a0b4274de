import type { Key, KeyList, KeyMade } from '../../../api/dashboard/contract/projects/projects.ts';
import { createKey } from '../../../db/projects/keys.ts';
import { createProject, type Project } from '../../../db/projects/projects.ts';
import { takeLimits } from '../../../db/assistant/limits.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

let dashboard: TestDashboard;
let owner: Browser;
let keys: string;
let sibling: Project;
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.signIn('owner@acme.test', 'owner');
  keys = `/projects/${dashboard.tenant.project.id}/keys`;
  sibling = await createProject(dashboard.pool, {
    organizationId: dashboard.tenant.organizationId,
    name: 'sibling',
    domain: 'sibling',
    host: 'local',
    repository: 'x',
    repositoryUrl: 'http://x',
    baseRef: 'main',
  });
});
afterAll(() => dashboard.close());

const make = (body: object = {}) =>
  owner.json<KeyMade>('POST', keys, { kind: 'assistant', name: 'Site', ...body });
const listed = async (id: string) =>
  (await owner.json<KeyList>('GET', keys)).keys.find(key => key.id === id);
const jobs = (key: string) =>
  dashboard.call('GET', `/v2/agent/${dashboard.tenant.project.id}/jobs`, { key });

it('are made with their limits, and work', async () => {
  const { token, key } = await make({
    kind: 'admin',
    name: ' CI ',
    expiresInDays: 30,
    allowedAddresses: ['127.0.0.0/8'],
  });
  expect(token).toMatch(/^svc_\w{46}$/);
  expect(key).toMatchObject({
    kind: 'admin',
    name: 'CI',
    state: 'valid',
    allowedAddresses: ['127.0.0.0/8'],
    usesThisMonth: 0,
    monthlyLimit: null,
    lastUsedAt: null,
  });
  expect(Math.round((Date.parse(key.expiresAt!) - Date.now()) / 86_400_000)).toBe(30);
  expect((await jobs(token)).statusCode).toBe(200);
  const site = await make({
    allowedOrigins: ['https://docs.test', 'https://*.docs.test:8443'],
    monthlyLimit: 5,
  });
  expect(site.token).toMatch(/^svc_dsc_\w{46}$/);
  expect(site.key).toMatchObject({
    allowedOrigins: ['https://docs.test', 'https://*.docs.test:8443'],
    monthlyLimit: 5,
    expiresAt: null,
  });
  expect((await owner.json<KeyList>('GET', keys)).keys[0]).toEqual(site.key);
});

it('show their token once', async () => {
  const { token, key } = await make();
  expect((await owner.call('GET', keys)).body).not.toContain(token.slice(12, -6));
  expect(key.start).toBe(`svc_dsc_${token.slice(8, 12)}…${token.slice(-4)}`);
});

it.each([
  [{ name: '' }, 'name'],
  [{ kind: 'root' }, 'kind'],
  [{ expiresInDays: 0 }, 'expiresInDays'],
  [{ allowedOrigins: ['docs.test'] }, 'allowedOrigins[0]'],
  [{ allowedOrigins: ['https://docs.test/path'] }, 'allowedOrigins[0]'],
  [{ allowedAddresses: ['10.0.0.1/8'] }, 'allowedAddresses'],
  [{ allowedAddresses: ['999.0.0.1'] }, 'allowedAddresses'],
  [{ allowedAddresses: ['everywhere'] }, 'allowedAddresses[0]'],
  [{ monthlyLimit: 0 }, 'monthlyLimit'],
])('refuse %j', async (body, path) => {
  const answer = await owner.call('POST', keys, {
    body: { kind: 'assistant', name: 'Site', ...body },
  });
  expect([answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([400, path]);
});

it('of a project are its assistant’s and its organization’s admin keys', async () => {
  const ours = await make();
  const admin = await make({ kind: 'admin' });
  const of = async (project: Project) =>
    (await owner.json<KeyList>('GET', `/projects/${project.id}/keys`)).keys.map(({ id }) => id);
  expect(await of(dashboard.tenant.project)).toEqual(
    expect.arrayContaining([ours.key.id, admin.key.id]),
  );
  expect(await of(sibling)).toContain(admin.key.id);
  expect(await of(sibling)).not.toContain(ours.key.id);
  for (const verb of ['revoke', 'rotate']) {
    expect(
      (
        await owner.call('POST', `/projects/${sibling.id}/keys/${ours.key.id}/${verb}`, {
          body: { graceHours: 0 },
        })
      ).statusCode,
    ).toBe(404);
  }
  const theirs = await createKey(dashboard.pool, {
    organizationId: dashboard.stranger.organizationId,
    kind: 'admin',
    name: 'theirs',
  });
  expect(await of(dashboard.tenant.project)).not.toContain(theirs.key.id);
  expect((await owner.call('POST', `${keys}/${theirs.key.id}/revoke`)).statusCode).toBe(404);
});

it('end at once when they are revoked', async () => {
  const { token, key } = await make({ kind: 'admin' });
  const after = await owner.json<KeyList>('POST', `${keys}/${key.id}/revoke`);
  expect(after.keys.find(({ id }) => id === key.id)).toMatchObject({
    state: 'revoked',
    revokedAt: expect.any(String),
  });
  expect((await jobs(token)).statusCode).toBe(401);
  expect(
    (await owner.call('POST', `${keys}/${key.id}/rotate`, { body: { graceHours: 1 } })).statusCode,
  ).toBe(409);
});

it('rotate: both work for the hours of grace, then the new one', async () => {
  const old = await make({ kind: 'admin', name: 'Rotated' });
  const next = await owner.json<KeyMade>('POST', `${keys}/${old.key.id}/rotate`, { graceHours: 2 });
  expect(next.key).toMatchObject({
    name: 'Rotated',
    kind: 'admin',
    state: 'valid',
    expiresAt: null,
  });
  expect([(await jobs(old.token)).statusCode, (await jobs(next.token)).statusCode]).toEqual([
    200, 200,
  ]);
  const hours = (Date.parse((await listed(old.key.id))!.expiresAt!) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(1.9);
  expect(hours).toBeLessThan(2.1);
  const at = await owner.json<KeyMade>('POST', `${keys}/${next.key.id}/rotate`, { graceHours: 0 });
  expect([(await jobs(next.token)).statusCode, (await jobs(at.token)).statusCode]).toEqual([
    401, 200,
  ]);
  expect((await listed(next.key.id))!.state).toBe('expired');
});

it('count: answers of this month for the assistant’s, jobs of this month for the others', async () => {
  const site = await make();
  const admin = await make({ kind: 'admin' });
  await takeLimits(dashboard.pool, [{ scope: 'key', id: site.key.id, maximum: 10 }]);
  await takeLimits(dashboard.pool, [{ scope: 'key', id: site.key.id, maximum: 10 }]);
  expect(
    (
      await dashboard.call('POST', `/v2/agent/${dashboard.tenant.project.id}/job`, {
        key: admin.token,
        body: { prompt: 'x' },
      })
    ).statusCode,
  ).toBe(201);
  const uses = async (key: Key) => (await listed(key.id))!.usesThisMonth;
  expect([await uses(site.key), await uses(admin.key)]).toEqual([2, 1]);
  await dashboard.pool.query(
    `update jobs set created_at = date_trunc('month', now(), 'UTC') - interval '1 second'`,
  );
  await dashboard.pool.query(
    `update limit_counts set window_start = window_start - interval '40 days' where scope = 'key'`,
  );
  expect([await uses(site.key), await uses(admin.key)]).toEqual([0, 0]);
});
