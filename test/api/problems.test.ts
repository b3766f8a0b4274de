import { type AddressInfo, connect, createServer } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { buildApi } from '../../api/app.ts';
import { readConfig } from '../../shared/config.ts';
import { migrate } from '../../db/migrate.ts';
import { openPool } from '../../db/pool.ts';
import { databaseShortcoming } from '../../db/schema-version.ts';
import { mintKey } from '../../shared/secrets/api-keys.ts';
import { testTemporal } from '../support/services.ts';
import { startApi, type TestApi } from './harness.ts';

let api: TestApi;
let url: string;
beforeAll(async () => {
  api = await startApi({ REQUEST_TIMEOUT_SECONDS: '1' });
  url = `/v2/agent/${api.tenant.project.id}/job`;
});
afterAll(() => api.close());

it('answers 404 where no route is, 405 with Allow where another method is', async () => {
  const unknown = await api.call('GET', '/v3/agent');
  expect(unknown.statusCode).toBe(404);
  expect(unknown.headers['content-type']).toMatch(/^application\/problem\+json/);
  for (const [method, path, allow] of [
    ['DELETE', url, 'POST'],
    ['GET', url, 'POST'],
    ['PUT', `${url}/job_x/message`, 'POST'],
    ['PUT', `${url}/job_x`, 'GET, HEAD, PATCH'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', url, 'POST'],
    ['QUERY' as 'GET', url, 'POST'],
  ] as const) {
    const response = await api.call(method, path);
    expect([path, response.statusCode, response.headers.allow]).toEqual([path, 405, allow]);
    expect(response.json()).toMatchObject({ status: 405, title: 'Method not allowed' });
  }
  // Not a page of a domain called search.
  const search = await api.call('GET', '/discovery/v1/search/acme', { key: null });
  expect([search.statusCode, search.headers.allow]).toEqual([405, 'OPTIONS, POST']);
  const noPage = await api.call('GET', '/discovery/v1/acme/page', { key: null });
  expect(noPage.statusCode).toBe(404);
});

it('says on whatever it answers under a deprecated path that it is, and what replaces it', async () => {
  const { project } = api.tenant;
  for (const [method, path, status] of [
    ['PUT', `/v1/agent/${project.id}/job`, 405],
    ['GET', `/v1/agent/${project.id}/nothing`, 404],
    ['GET', `/v1/agent/${project.id}/job/job_x`, 404],
    ['GET', '/v1/agent/%zz/jobs', 400],
    ['GET', '/v1/agent/a<b>"c/jobs?skip=x', 400],
    ['DELETE', '/discovery/v1/assistant/acme/message', 405],
    ['POST', '/discovery/v1/assistant/acme/message', 403],
  ] as const) {
    const { statusCode, headers } = await api.call(
      method,
      path,
      method === 'POST' ? { body: {} } : {},
    );
    const link = `<${path.split('?')[0]!.replace('/v1/', '/v2/').replace('<b>"', '%3Cb%3E%22')}>; rel="successor-version"`;
    expect([path, statusCode, headers.deprecation, headers.link]).toEqual([
      path,
      status,
      '@1795219200',
      link,
    ]);
  }
  for (const path of [
    '/discovery/v1/search/acme',
    '/discovery/v1/page/acme',
    url,
    '/v3/agent/v1/agent/x',
  ]) {
    const { headers } = await api.call('POST', path, { body: {} });
    expect([path, headers.deprecation, headers.link]).toEqual([path, undefined, undefined]);
  }
});

it.each([
  ['%zz', 400],
  ['%ff', 400],
  ['x'.repeat(9_000), 404],
])('answers with a problem where the router takes no path, %#', async (id, status) => {
  const response = await api.call('GET', `${url}/${id}`);
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
  expect(response.json()).toMatchObject({
    status,
    instance: `urn:docent:request:${String(response.headers['x-request-id'])}`,
  });
  expect(response.body).not.toContain('FST_ERR');
});

it.each([
  ['text/plain', 'x'],
  ['application/xml', '<x/>'],
  ['application/x-www-form-urlencoded', 'prompt=x'],
  ['multipart/form-data; boundary=x', 'x'],
  ['', '{"prompt":"x"}'],
])('answers 415 for content type "%s"', async (type, payload) => {
  const response = await api.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { authorization: `Bearer ${api.tenant.adminKey}`, 'content-type': type },
  });
  expect(response.statusCode).toBe(415);
  expect(response.json().error).toBe('Send the body as JSON, with Content-Type: application/json.');
});

it.each(['{', '{"prompt": "x"', 'prompt', '\u0000', ''])(
  'answers 400 for the body %j',
  async payload => {
    const response = await api.app.inject({
      method: 'POST',
      url,
      payload,
      headers: {
        authorization: `Bearer ${api.tenant.adminKey}`,
        'content-type': 'application/json',
      },
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().status).toBe(400);
    if (payload !== '')
      expect(response.json().detail).toBe('The body is not JSON: it could not be parsed.');
  },
);

it('takes a charset, and a body of nearly 1 MiB but no larger one', async () => {
  const post = (filler: number) =>
    api.app.inject({
      method: 'POST',
      url,
      payload: JSON.stringify({ prompt: 'x', filler: 'y'.repeat(filler) }),
      headers: {
        authorization: `Bearer ${api.tenant.adminKey}`,
        'content-type': 'application/json; charset=utf-8',
      },
    });
  expect((await post(1024 * 1024 - 100)).statusCode).toBe(201);
  const large = await post(1024 * 1024);
  expect(large.statusCode).toBe(413);
  expect(large.json().title).toBe('The body is too large');
});

it('says the key is missing before it reads the body', async () => {
  const response = await api.app.inject({
    method: 'POST',
    url,
    payload: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.statusCode).toBe(401);
});

it('answers requests that never become one: too slow, unknown method, no HTTP', async () => {
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.addresses()[0] as AddressInfo;
  const slow = await exchange(
    port,
    `POST ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tenant.adminKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  expect(slow).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(slow).toMatch(/x-request-id: req_/);
  expect(JSON.parse(slow.split('\r\n\r\n')[1]!)).toMatchObject({
    status: 408,
    title: 'The request took too long to arrive',
  });
  expect(await exchange(port, 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 405 /);
  expect(await exchange(port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 (400|405) /);
  expect(
    await exchange(port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`),
  ).toMatch(/^HTTP\/1.1 400 /);
});

/** Sends bytes and reads until the server hangs up. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket
      .setEncoding('utf8')
      .on('data', data => {
        answer += data;
      })
      .on('end', () => resolve(answer))
      .on('error', reject);
  });
}

it('says nothing of ours when it is our fault', async () => {
  await api.pool.query('alter table jobs rename column prompt to prompt_away');
  try {
    const response = await api.call('GET', `/v2/agent/${api.tenant.project.id}/jobs`);
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      type: 'urn:docent:problem:internal',
      title: 'Something went wrong on our side',
      status: 500,
      detail: 'Something went wrong on our side. Please quote the request id.',
      error: 'Something went wrong on our side. Please quote the request id.',
      instance: `urn:docent:request:${String(response.headers['x-request-id'])}`,
    });
  } finally {
    await api.pool.query('alter table jobs rename column prompt_away to prompt');
  }
});

it('is ready for reads with Postgres alone, and for jobs once a worker polls', async () => {
  expect((await api.app.inject('/readyz')).json()).toEqual({ status: 'ok' });
  const forJobs = await api.app.inject('/readyz?for=jobs');
  expect([forJobs.statusCode, forJobs.json().error]).toEqual([
    503,
    expect.stringMatching(/^No worker polls the task queue /),
  ]);
  expect((await api.app.inject('/readyz?for=tea')).statusCode).toBe(400);
});

it('is not ready on a database without this release’s tables, or that accepts no writes', async () => {
  const name = `bare_${Math.random().toString(36).slice(2)}`;
  await api.pool.query(`create database ${name}`);
  const bare = new URL(api.pool.options.connectionString ?? '');
  bare.pathname = `/${name}`;
  const pool = openPool({ connectionString: bare.href });
  const app = await buildApi({ config: api.config, pool, temporal: api.temporal });
  const ready = async () => {
    const response = await app.inject('/readyz');
    return [response.statusCode, response.json().error];
  };
  try {
    const outdated = 'The database lacks tables of this release: run "docent migrate".';
    expect(await ready()).toEqual([503, outdated]);
    await pool.query('create table migrations (name text primary key)');
    await pool.query("insert into migrations values ('0000_older.sql')");
    expect(await ready()).toEqual([503, outdated]);
    await pool.query('drop table migrations');
    await migrate(pool);
    expect(await ready()).toEqual([200, undefined]);
    await pool.query(`alter database ${name} set default_transaction_read_only = on`);
    const readOnly = openPool({ connectionString: bare.href });
    expect(await databaseShortcoming(readOnly)).toBe('Postgres accepts no writes.');
    await readOnly.end();
  } finally {
    await app.close();
    await pool.end();
    await api.pool.query(`drop database ${name} with (force)`);
  }
}, 30_000);

it('answers 503 with Retry-After while Postgres is away, and stays up', async () => {
  const connection = await Connection.connect({ address: testTemporal().address });
  const pool = openPool({ connectionString: `postgres://127.0.0.1:${await closedPort()}/none` });
  const app = await buildApi({
    config: readConfig({ DATABASE_URL: pool.options.connectionString }),
    pool,
    temporal: new Client({ connection }),
  });
  try {
    const response = await app.inject({
      url: '/v2/agent/prj_x/jobs',
      headers: { authorization: `Bearer ${mintKey('admin').token}` },
    });
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    const ready = await app.inject('/readyz');
    expect(ready.statusCode).toBe(503);
    expect(ready.json().error).toBe('Postgres cannot be reached.');
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  } finally {
    await app.close();
    await connection.close();
    await pool.end();
  }
});

it('answers 503 within the deadline while Temporal is away; nothing half-done stays', async () => {
  const away = Connection.lazy({ address: `127.0.0.1:${await closedPort()}` });
  const app = await buildApi({
    config: api.config,
    pool: api.pool,
    temporal: new Client({ connection: away }),
  });
  try {
    const headers = { authorization: `Bearer ${api.tenant.adminKey}` };
    const response = await app.inject({
      method: 'POST',
      url,
      payload: { prompt: 'nobody home' },
      headers,
    });
    expect(response.statusCode).toBe(503);
    expect(
      (await api.pool.query(`select state from jobs where prompt = 'nobody home'`)).rows,
    ).toEqual([{ state: 'given_up' }]);

    const { id } = (await api.call('POST', url, { body: { prompt: 'somebody' } })).json();
    await api.restJob(id);
    const message = await app.inject({
      method: 'POST',
      url: `${url}/${id}/message`,
      payload: { prompt: 'more' },
      headers,
    });
    expect(message.statusCode).toBe(503);
    const asked = Date.now();
    expect((await app.inject({ url: `${url}/${id}`, headers })).json().status).toBe('completed');
    expect(Date.now() - asked).toBeLessThan(500); // Temporal is not waited for
    expect(
      (await api.pool.query(`select state from instructions where job_id = $1 order by seq`, [id]))
        .rows,
    ).toEqual([{ state: 'taken' }, { state: 'withdrawn' }]);
    // Reads and the assistant go on.
    expect((await app.inject('/readyz')).statusCode).toBe(200);
    const forJobs = await app.inject('/readyz?for=jobs');
    expect(forJobs.json().error).toBe('Temporal cannot be reached.');
  } finally {
    await app.close();
    await away.close();
  }
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

it.each([
  ['a full disk', '53100'],
  ['read-only after a failover', '25006'],
  ['no memory', '53200'],
  ['a statement without an end', '57014'],
])('answers 503 with Retry-After where Postgres cannot write: %s', async (_what, code) => {
  await api.pool.query(
    `create function refuse() returns trigger language plpgsql as
       $$ begin raise 'no' using errcode = '${code}'; end $$;
     create trigger refuse before insert on jobs for each row execute function refuse()`,
  );
  try {
    const response = await api.call('POST', url, { body: { prompt: 'x' } });
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
  } finally {
    await api.pool.query('drop function refuse cascade');
  }
});
