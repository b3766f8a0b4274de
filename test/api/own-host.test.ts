import { execFileSync } from 'node:child_process';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTemporal } from '../../cli/embedded/temporal.ts';
import { freePort } from '../../cli/embedded/ports.ts';
import { startWebUiProxy } from '../../cli/embedded/web-ui-proxy.ts';
import { until } from '../support/until.ts';
import { temporaryFolder } from '../support/docent.ts';
import { startApi, type TestApi } from './harness.ts';

const OURS = [
  'docent.test',
  'DOCENT.test:3000',
  'docent.test.',
  'localhost:3000',
  'app.localhost',
  '127.0.0.1',
  '192.168.1.20:3000',
  '[::1]:3000',
  'api:3000',
  'api.namespace.svc.cluster.local',
  'second.docs.test',
];
const THEIRS = [
  'evil.test',
  'evil.test:3000',
  'docent.test.evil.test',
  'localhost.evil.test',
  '127.0.0.1.evil.test',
  'docent.test@evil.test',
  'docent.test, evil.test',
  'docent.test/evil.test',
];

describe('the API', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ ALLOWED_HOSTS: 'second.docs.test, Third.docs.test' });
  });
  afterAll(() => api.close());
  const ask = async (host: string, url = '/healthz') =>
    (await api.app.inject({ url, headers: { host } })).statusCode;

  it.each(OURS)('answers to %s', async host => expect(await ask(host)).toBe(200));

  it.each(THEIRS)('does not answer to %s, whatever is asked', async host => {
    for (const url of ['/healthz', '/openapi.json', '/dashboard/', '/nothing', '/reference'])
      expect([url, await ask(host, url)]).toEqual([url, 403]);
  });

  it('says to the operator what to do', async () => {
    const answer = await api.app.inject({ url: '/healthz', headers: { host: 'evil.test' } });
    expect(answer.json().error).toBe(
      'This host name is not known here. ' +
        'An operator can set PUBLIC_URL to it, or add it to ALLOWED_HOSTS.',
    );
  });
});

const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    send(url, { headers }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('Temporal’s Web UI', () => {
  it('answers under names of this machine only, and listens nowhere else', async () => {
    const folder = await temporaryFolder();
    const [port, uiPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
    const temporal = await startTemporal({
      cliPath: process.env['TEST_TEMPORAL_CLI']!,
      logFile: `${folder}/temporal.log`,
      host: '127.0.0.1',
      port,
      uiPort,
    });
    try {
      expect(temporal.uiUrl).toBe(`http://127.0.0.1:${uiPort}`);
      const path = `${temporal.uiUrl}/api/v1/namespaces/default/workflows`;
      // Behind the proxy, Temporal's own API takes a moment longer than its port.
      await until('the Web UI answers', async () => (await statusOf(path, {})) === 200);
      expect(await statusOf(path, { host: `localhost:${uiPort}` })).toBe(200);
      expect(await statusOf(temporal.uiUrl, {})).toBe(200);
      for (const host of THEIRS)
        expect([host, await statusOf(path, { host })]).toEqual([host, 403]);
      // The server itself has the Web UI at an address that nobody can guess.
      if (process.platform === 'linux') {
        const args = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
        const ours = args.split('\n').find(line => line.includes(`--port ${port} `));
        expect(ours).toMatch(/--ui-ip 127\.(?!0\.0\.1 )\d+\.\d+\.\d+ --ui-port/);
      }
    } finally {
      await temporal.stop();
    }
    await expect(statusOf(temporal.uiUrl, {})).rejects.toThrow('ECONNREFUSED');
  }, 60_000);

  it('takes a free port if its own was taken, and says when the server is gone', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise(listening => other.once('listening', listening));
    const { port } = other.address() as AddressInfo;
    const proxy = await startWebUiProxy(
      { host: '127.0.0.1', port },
      { host: '127.0.0.1', port: await freePort('127.0.0.1') },
    );
    expect(proxy.port).not.toBe(port);
    expect(await statusOf(`http://127.0.0.1:${proxy.port}/`, {})).toBe(502);
    await proxy.close();
    other.close();
  });
});
