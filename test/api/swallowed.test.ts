import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { buildApi } from '../../api/app.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { createKey } from '../../db/projects/keys.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import { readConfig } from '../../shared/config.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';

const ANSWER_WITHIN_MS = 1_000;

/** Something between the API and Postgres that can swallow what its connections say. */
async function startProxy(target: URL) {
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    /** The connections that there are say nothing more, and stay open; new ones work. */
    swallow() {
      for (const socket of sockets) socket.unpipe().on('data', () => undefined);
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('connections to Postgres that something swallows', () => {
  let database: TestDatabase;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let pool: Pool;
  let key: string;
  let app: Awaited<ReturnType<typeof buildApi>>;
  beforeAll(async () => {
    database = await testDatabase();
    proxy = await startProxy(new URL(database.url));
    pool = openPool({ connectionString: proxy.url, max: 4, answerWithinMs: ANSWER_WITHIN_MS });
    const temporal = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
    const config = readConfig({ DATABASE_URL: proxy.url, MODEL_PROVIDER: 'offline' });
    app = await buildApi({ config, pool, temporal });
    await app.ready();
    const { id } = await createOrganization(database.pool, { slug: 'acme', name: 'acme' });
    const made = await createKey(database.pool, {
      organizationId: id,
      kind: 'admin',
      name: 'test',
    });
    key = made.token;
  });
  afterAll(async () => {
    await app.close();
    await pool.end();
    proxy.close();
    await database.close();
  });
  const ask = () =>
    app.inject({
      url: '/v2/agent/proj_x/job/job_x',
      headers: { authorization: `Bearer ${key}` },
    });

  it('end in 503 with Retry-After, and the next requests are answered', async () => {
    const statuses = async () =>
      (await Promise.all([ask(), ask(), ask(), ask()])).map(({ statusCode }) => statusCode);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    proxy.swallow();
    const [first] = await Promise.all([ask(), ask(), ask()]);
    expect([first.statusCode, first.headers['retry-after']]).toEqual([503, expect.any(String)]);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
  });

  it('speak UTC, whatever the server’s time zone is', async () => {
    await database.pool.query(`alter role current_user set timezone = 'Asia/Kolkata'`);
    const own = openPool({ connectionString: database.url, max: 1 });
    const { rows } = await own.query<{ zone: string }>(
      `select current_setting('timezone') as zone`,
    );
    await own.end();
    await database.pool.query('alter role current_user reset timezone');
    expect(rows).toEqual([{ zone: 'UTC' }]);
  });
});
