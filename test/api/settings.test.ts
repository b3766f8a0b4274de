import { Writable } from 'node:stream';
import { Client, Connection } from '@temporalio/client';
import { buildApi } from '../../api/app.ts';
import { readConfig } from '../../shared/config.ts';
import { openPool } from '../../db/pool.ts';
import { createLogger } from '../../shared/logger.ts';
import { startApi } from './harness.ts';

/** Builds the app without services, and closes it. */
async function build(settings: Record<string, string>): Promise<void> {
  const pool = openPool({ connectionString: 'postgres://127.0.0.1:1/none' });
  const temporal = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
  const app = await buildApi({
    config: readConfig({ DATABASE_URL: 'postgres://127.0.0.1:1/none', ...settings }),
    pool,
    temporal,
  });
  await app.close();
  await pool.end();
}

describe('TRUSTED_PROXIES', () => {
  it.each(['proxy.internal', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0/8', '10.0.0.0/x'])(
    'refuses %s at the start',
    async ranges => {
      await expect(build({ TRUSTED_PROXIES: ranges })).rejects.toThrow(
        `TRUSTED_PROXIES must be comma-separated addresses or ranges such as 10.0.0.0/8; got "${ranges}".`,
      );
    },
  );

  it('takes addresses and ranges of both kinds', async () => {
    await expect(
      build({ TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16,::1, fd00::/8' }),
    ).resolves.toBeUndefined();
  });
});

describe('V1_SUNSET', () => {
  it('is said on v1 responses, refusals included, and on no others', async () => {
    const api = await startApi({ V1_SUNSET: '2027-06-30' });
    try {
      const base = `/agent/${api.tenant.project.id}/jobs`;
      for (const key of [api.tenant.adminKey, null]) {
        const { headers } = await api.call('GET', `/v1${base}`, { key });
        expect(headers).toMatchObject({
          sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
          deprecation: '@1795219200',
          link: `</v2${base}>; rel="successor-version"`,
        });
      }
      expect((await api.call('GET', `/v2${base}`)).headers).not.toHaveProperty('deprecation');
    } finally {
      await api.close();
    }
  });

  it('must be a date', async () => {
    await expect(build({ V1_SUNSET: 'soon' })).rejects.toThrow(
      'V1_SUNSET must be a date such as 2027-06-30; got "soon".',
    );
  });
});

describe('the log', () => {
  it('has a line a response, with the route and the request id, and neither keys nor prompts nor addresses with tokens', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(...chunk.toString().trim().split('\n'));
        done();
      },
    });
    const api = await startApi(
      { LOCAL_HOST_TOKEN: 'local-token-canary' },
      createLogger('debug', sink),
    );
    try {
      const url = `/v2/agent/${api.tenant.project.id}/job`;
      const created = await api.call('POST', url, { body: { prompt: 'prompt-canary' } });
      await api.call('POST', url, { body: { prompt: 'prompt-canary', branch: 'main' } });
      await api.call('GET', `/pulls/pull-canary`, { key: null });
      await api.call('GET', `/git/docs.git/info/refs?service=git-upload-pack`, {
        key: 'local-token-canary',
      });
      const log = lines.join('\n');
      const line = lines
        .map(text => JSON.parse(text) as Record<string, unknown>)
        .find(entry => entry.reqId === created.headers['x-request-id']);
      expect(line).toMatchObject({
        msg: 'response',
        method: 'POST',
        route: '/v2/agent/:projectId/job',
        status: 201,
        key: expect.stringMatching(/^key_/),
      });
      for (const secret of [
        api.tenant.adminKey.slice(4, 44),
        'prompt-canary',
        'pull-canary',
        'local-token-canary',
      ])
        expect(log).not.toContain(secret);
    } finally {
      await api.close();
    }
  });
});
