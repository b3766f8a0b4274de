import { createKey, revokeKey } from '../../db/projects/keys.ts';
import { createProject } from '../../db/projects/projects.ts';
import { mintKey } from '../../shared/secrets/api-keys.ts';
import { startApi, type TestApi } from './harness.ts';

interface Operation {
  method: 'GET' | 'POST';
  path: string;
  access: 'admin' | 'assistant' | 'public';
}

let api: TestApi;
let operations: Operation[];
let jobId: string;
beforeAll(async () => {
  api = await startApi();
  operations = (await readOperations()).filter(({ access }) => access !== 'public');
  const job = await api.call('POST', `/v2/agent/${api.tenant.project.id}/job`, {
    body: { prompt: 'canary of the tenant' },
  });
  jobId = job.json().id;
});
afterAll(() => api.close());

/**
 * Every operation of the OpenAPI document: what is not in it cannot be missed here, since a route
 * that says nothing stops the start.
 */
async function readOperations(): Promise<Operation[]> {
  const document = (await api.app.inject('/openapi.json')).json() as {
    paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [] }]) => ({
      method: method.toUpperCase() as 'GET' | 'POST',
      path,
      access: security.some(entry => 'adminKey' in entry)
        ? ('admin' as const)
        : security.some(entry => 'assistantKey' in entry)
          ? ('assistant' as const)
          : ('public' as const),
    })),
  );
}

const fill = (path: string, tenant = api.tenant) =>
  path
    .replace('{projectId}', tenant.project.id)
    .replace('{domain}', tenant.project.domain)
    .replace('{id}', jobId)
    .replace('{*}', 'index.md');

const send = ({ method, path }: Operation, key: string | null, tenant = api.tenant) =>
  api.call(method, fill(path, tenant), {
    key,
    ...(method === 'POST' && { body: { prompt: 'x' } }),
  });

it('covers both kinds of route', () => {
  expect(operations.filter(({ access }) => access === 'admin').length).toBeGreaterThanOrEqual(8);
});

it('answers 401 for every way in which a key can be no key, on every route', async () => {
  const { organizationId, project } = api.tenant;
  for (const operation of operations) {
    const kind = operation.access as 'admin' | 'assistant';
    const make = (more: object) =>
      createKey(api.pool, { organizationId, kind, name: 'x', projectId: project.id, ...more });
    const revoked = await make({});
    await revokeKey(api.pool, organizationId, revoked.key.id);
    const expired = await make({ expiresAt: new Date(Date.now() - 1_000) });
    for (const [key, sentence] of [
      [null, 'Send an API key in the header Authorization: Bearer <API_KEY>.'],
      [
        `${api.tenant.adminKey}x`,
        'The API key is malformed: send all of it, as it was shown, in Authorization: Bearer <API_KEY>.',
      ],
      [mintKey(kind).token, 'The API key is unknown.'],
      [revoked.token, 'The API key was revoked.'],
      [expired.token, 'The API key has expired.'],
    ] as const) {
      const response = await send(operation, key);
      expect([operation.path, response.statusCode, response.json().error]).toEqual([
        operation.path,
        401,
        sentence,
      ]);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect(response.headers['x-request-id']).toMatch(/^req_/);
    }
  }
});

it('takes only Bearer, in any case', async () => {
  const url = `/v2/agent/${api.tenant.project.id}/jobs`;
  const get = (authorization: string) => api.app.inject({ url, headers: { authorization } });
  expect((await get(`bearer ${api.tenant.adminKey}`)).statusCode).toBe(200);
  for (const wrong of [
    api.tenant.adminKey,
    `Basic ${api.tenant.adminKey}`,
    'Bearer',
    'Bearer ',
    `Bearer ${api.tenant.adminKey} x`,
  ]) {
    expect((await get(wrong)).statusCode).toBe(401);
  }
});

it('answers 403 to a key of the wrong kind on every route', async () => {
  for (const operation of operations) {
    const response = await send(
      operation,
      operation.access === 'admin' ? api.tenant.assistantKey : api.tenant.adminKey,
    );
    expect([operation.path, response.statusCode]).toEqual([operation.path, 403]);
  }
});

it('answers 404, the same as for what never was, to another organization on every route', async () => {
  // An address that names nothing is about the key's own organization.
  for (const operation of operations.filter(({ path }) => path.includes('{'))) {
    const key = operation.access === 'admin' ? api.stranger.adminKey : api.stranger.assistantKey;
    const response = await send(operation, key);
    const unknown = await api.call(
      operation.method,
      operation.path.replace('{*}', 'unknown.md').replace(/\{\w+\}/g, 'unknown'),
      { key, ...(operation.method === 'POST' && { body: { prompt: 'x' } }) },
    );
    // 400 where the body breaks the schema, and 409 where secrets cannot be kept, say nothing of
    // anybody either.
    expect([operation.path, response.statusCode]).toEqual([operation.path, unknown.statusCode]);
    expect([400, 404, 409]).toContain(response.statusCode);
    expect({ ...response.json(), instance: '' }).toEqual({ ...unknown.json(), instance: '' });
    expect(response.body).not.toContain('canary');
  }
});

it('answers 404 for another project’s job of the same organization', async () => {
  const sibling = await createProject(api.pool, {
    organizationId: api.tenant.organizationId,
    name: 'sibling',
    domain: 'sibling',
    host: 'local',
    repository: 'sibling',
    repositoryUrl: 'http://docent.test/git/sibling.git',
    baseRef: 'main',
  });
  expect(
    (await api.call('GET', `/v2/agent/${api.tenant.project.id}/job/${jobId}`)).statusCode,
  ).toBe(200);
  expect((await api.call('GET', `/v2/agent/${sibling.id}/job/${jobId}`)).statusCode).toBe(404);
});

it.each(['job_0', '..', "'", '%F0%9F%98%80', 'x'.repeat(300)])(
  'answers 404 for the id %s',
  async id => {
    for (const path of [
      `/v2/agent/${api.tenant.project.id}/job/${id}`,
      `/v2/agent/${id}/jobs`,
      `/v2/agent/${id}/job/${jobId}/messages`,
    ]) {
      expect((await api.call('GET', path)).statusCode).toBe(404);
    }
  },
);

it('keeps a key to its addresses and origins', async () => {
  const { organizationId } = api.tenant;
  const url = `/v2/agent/${api.tenant.project.id}/jobs`;
  const office = await createKey(api.pool, {
    organizationId,
    kind: 'admin',
    name: 'office',
    allowedAddresses: ['10.0.0.0/8'],
  });
  const from = (remoteAddress: string) =>
    api.app.inject({
      url,
      remoteAddress,
      headers: { authorization: `Bearer ${office.token}`, 'x-forwarded-for': '10.1.1.1' },
    });
  expect((await from('10.2.3.4')).statusCode).toBe(200);
  expect((await from('::ffff:10.2.3.4')).statusCode).toBe(200);
  expect((await from('192.0.2.1')).statusCode).toBe(403); // what a client says of its address is not believed

  const site = await createKey(api.pool, {
    organizationId,
    kind: 'admin',
    name: 'site',
    allowedOrigins: ['https://docs.test', 'https://*.example.test'],
  });
  const origin = (value?: string) =>
    api.call('GET', url, {
      key: site.token,
      headers: value === undefined ? {} : { origin: value },
    });
  for (const allowed of ['https://docs.test', 'https://a.example.test', 'https://A.B.example.test'])
    expect((await origin(allowed)).statusCode).toBe(200);
  for (const other of [
    undefined,
    'http://docs.test',
    'https://docs.test:8443',
    'https://example.test',
    'https://evilexample.test',
    'https://evil.test/.example.test',
    'https://evil.test\\.example.test',
    'https://docs.test.evil',
    'null',
  ]) {
    expect((await origin(other)).statusCode).toBe(403);
  }
});

it('notes the last use of a key', async () => {
  const { token, key } = await createKey(api.pool, {
    organizationId: api.tenant.organizationId,
    kind: 'admin',
    name: 'used',
  });
  await api.call('GET', `/v2/agent/${api.tenant.project.id}/jobs`, { key: token });
  const lastUse = async () =>
    (await api.pool.query('select last_used_at from api_keys where id = $1', [key.id])).rows[0]
      .last_used_at;
  for (let i = 0; i < 50 && !(await lastUse()); i++)
    await new Promise(resolve => setTimeout(resolve, 20)); // written after the response
  expect(await lastUse()).toBeInstanceOf(Date);
});

it('believes the configured proxies, and only them', async () => {
  const behind = await startApi({ TRUSTED_PROXIES: '127.0.0.1, 10.9.0.0/16' });
  try {
    const { token } = await createKey(behind.pool, {
      organizationId: behind.tenant.organizationId,
      kind: 'admin',
      name: 'office',
      allowedAddresses: ['203.0.113.7/32'],
    });
    const from = (remoteAddress: string, forwarded: string) =>
      behind.app.inject({
        url: `/v2/agent/${behind.tenant.project.id}/jobs`,
        remoteAddress,
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': forwarded },
      });
    expect((await from('127.0.0.1', '203.0.113.7')).statusCode).toBe(200);
    expect((await from('127.0.0.1', '203.0.113.7, 10.9.1.1')).statusCode).toBe(200);
    expect((await from('127.0.0.1', '203.0.113.7, 198.51.100.1')).statusCode).toBe(403);
    expect((await from('198.51.100.1', '203.0.113.7')).statusCode).toBe(403);
  } finally {
    await behind.close();
  }
});
