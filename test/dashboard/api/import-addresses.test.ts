import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { guardedSource } from '../../../api/dashboard/project/import-source.ts';
import { repositoryFolder } from '../../../hosts/local/context.ts';
import { configureRepository } from '../../../hosts/local/repositories.ts';
import { createRepository, importRepository } from '../../../hosts/local/new-repository.ts';
import { isPublicAddress } from '../../../shared/outgoing/public-address.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

const SYNTAX = 'url must be an https:// address without a user name, password, space or backslash.';

let dashboard: TestDashboard;
let owner: Browser;
let listener: Server;
let connections = 0;
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.signIn('owner@acme.test', 'owner');
  listener = createTcpServer(socket => {
    connections += 1;
    socket.destroy();
  });
  await listening(listener);
});
afterAll(async () => {
  await new Promise(resolve => listener.close(resolve));
  await dashboard.close();
});

async function listening(server: Server): Promise<void> {
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const at = () => ({
  pool: dashboard.pool,
  dataDir: dashboard.config.DATA_DIR,
  publicUrl: 'http://docent.test',
});

async function refusal(url: string): Promise<unknown[]> {
  const answer = await owner.call('POST', '/organizations/acme/projects', {
    body: { name: 'Guide', domain: 'guide', source: { type: 'import', url } },
  });
  return [url, answer.statusCode, answer.json().error];
}

it('reads an address as git will, and connects to nothing that only one of them sees', async () => {
  const port = portOf(listener);
  for (const address of [
    `https://203.0.113.9\\@127.0.0.1:${port}/x.git`,
    `https://203.0.113.9\\\\@127.0.0.1:${port}/x.git`,
    `https:///203.0.113.9\\@127.0.0.1:${port}/x.git`,
    `https:///203.0.113.9/x.git`,
    `https:\\\\203.0.113.9/x.git`,
    `https://203.0.113.9@127.0.0.1:${port}/x.git`,
    `https://user:secret@203.0.113.9/x.git`,
    `https://203.0.113.9\t@127.0.0.1:${port}/x.git`,
    `https://203.0.113.9/x.git\nProxy: 127.0.0.1:${port}`,
    `https://203.0.113.9/a b.git`,
    `https://203.0.113.9\u00a0/x.git`,
    `https://203.0.113.9\u0001/x.git`,
    `https://203.0.113.9\u200b/x.git`,
    ` https://203.0.113.9/x.git`,
    `https://203.0.113.9/x.git `,
    `https://example.com./x.git`,
    `http://127.0.0.1:${port}/x.git`,
    `ssh://127.0.0.1:${port}/x.git`,
    `git@127.0.0.1:x.git`,
    'ext::sh -c id',
    '--upload-pack=id',
  ])
    expect(await refusal(address)).toEqual([address, 400, SYNTAX]);
  expect(connections).toBe(0);
});

it('refuses every path alike, whether or not a repository is there', async () => {
  await createRepository(at(), { name: 'theirs' });
  const real = repositoryFolder(at(), 'theirs');
  expect(existsSync(real)).toBe(true);
  mkdirSync(join(dashboard.config.DATA_DIR, 'empty'));
  for (const path of [real, join(dashboard.config.DATA_DIR, 'empty'), '/etc', '/nowhere']) {
    for (const prefix of ['', 'file://', ' ', ' https://203.0.113.9/../../../../../../../..'])
      expect(await refusal(`${prefix}${path}`)).toEqual([`${prefix}${path}`, 400, SYNTAX]);
  }
});

it.each([
  'https://127.0.0.1/x.git',
  'https://2130706433/x.git',
  'https://0x7f.1/x.git',
  'https://0177.0.0.1/x.git',
  'https://127.1/x.git',
  'https://%31%32%37.0.0.1/x.git',
  'https://１２７.0.0.1/x.git',
  'https://[::1]/x.git',
  'https://[::ffff:127.0.0.1]/x.git',
  'https://[fe80::1]/x.git',
  'https://[64:ff9b::7f00:1]/x.git',
  'https://169.254.169.254/latest',
  'https://localhost/x.git',
])('refuses %s, which is not public', async address => {
  expect(await refusal(address)).toEqual([
    address,
    400,
    expect.stringContaining('names a host in a private network'),
  ]);
});

it('knows which addresses are for the public', () => {
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00::1',
    '2002:7f00:1::',
    'ff02::1',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
});

it('gives git the parsed address, the addresses that were checked, and no credentials', async () => {
  expect(await guardedSource('https://203.0.113.9:8443/a/../b.git', isPublicAddress)).toMatchObject(
    {
      url: 'https://203.0.113.9:8443/b.git',
      settings: expect.arrayContaining([
        'http.curloptResolve=203.0.113.9:8443:203.0.113.9',
        'http.followRedirects=false',
        'credential.helper=',
      ]),
      environment: { GIT_ALLOW_PROTOCOL: 'https', HOME: '/dev/null' },
    },
  );
});

it('has git hold to these settings', async () => {
  const { port } = new URL(await dashboard.app.listen({ host: '127.0.0.1', port: 0 }));
  await createRepository(at(), { name: 'handbook', public: true });
  await configureRepository(at(), 'handbook', { public: true });
  const path = 'git/handbook.git';
  const redirecting = createServer((request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${port}${request.url}` }).end();
  });
  await listening(redirecting);
  const { settings, environment } = await guardedSource(
    'https://203.0.113.9/x.git',
    isPublicAddress,
  );
  // What https would do, over the plain http of this test's own servers.
  const overHttp = settings.filter(setting => !setting.startsWith('protocol.http.'));
  const plain = { ...environment, GIT_ALLOW_PROTOCOL: 'http' };
  const pin = `http.curloptResolve=nowhere.internal:${port}:127.0.0.1`;
  const url = `http://nowhere.internal:${port}/${path}`;
  const refused = 'cannot be cloned';
  // A name that no resolver knows is reached at the address that was given for it.
  await expect(importRepository(at(), { name: 'unpinned' }, url)).rejects.toThrow(refused);
  expect(
    await importRepository(
      at(),
      { name: 'pinned' },
      { url, settings: [...overHttp, pin], environment: plain },
    ),
  ).toMatchObject({ name: 'pinned' });
  // With the dashboard's settings only https works, and a redirect is not followed.
  await expect(
    importRepository(at(), { name: 'plain' }, { url, settings: [...settings, pin], environment }),
  ).rejects.toThrow(refused);
  const elsewhere = `http://127.0.0.1:${portOf(redirecting)}/${path}`;
  expect(await importRepository(at(), { name: 'followed' }, elsewhere)).toBeDefined();
  await expect(
    importRepository(
      at(),
      { name: 'redirected' },
      { url: elsewhere, settings: overHttp, environment: plain },
    ),
  ).rejects.toThrow(refused);
  await new Promise(resolve => redirecting.close(resolve));
});
