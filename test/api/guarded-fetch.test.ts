import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { guardedFetch } from '../../shared/outgoing/guarded-fetch.ts';
import { isPublicAddress, reachableAddresses } from '../../shared/outgoing/public-address.ts';
import { readConfig } from '../../shared/config.ts';

const servers: { close(): unknown; closeAllConnections?(): void }[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections?.();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise(listening => server.once('listening', listening));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** Something that counts connections, whatever they say. */
async function door(): Promise<{ port: number; knocks: () => number }> {
  let knocks = 0;
  const server = createTcpServer(socket => {
    knocks += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise(listening => server.once('listening', listening));
  return { port: (server.address() as { port: number }).port, knocks: () => knocks };
}

const strict = guardedFetch({ mayReach: isPublicAddress });

it.each([
  ['http://HOST:PORT/', 'https'],
  ['https://127.0.0.1:PORT/', 'private'],
  ['https://localhost:PORT/', 'private'],
  ['https://[::1]:PORT/', 'private'],
  ['https://[::ffff:127.0.0.1]:PORT/', 'private'],
  ['https://0x7f.1:PORT/', 'private'],
  ['https://2130706433:PORT/', 'private'],
  ['https://0:PORT/', 'private'],
  ['https://10.0.0.1:PORT/', 'private'],
  ['https://169.254.169.254/latest/meta-data/', 'private'],
  ['https://1.1.1.1\\@127.0.0.1:PORT/', 'ends'],
  ['https://name@1.1.1.1:PORT/', 'user name'],
  ['file:///etc/passwd', 'https'],
  ['data:text/plain,x', 'https'],
])('reaches nobody by %s', async (address, why) => {
  const { port, knocks } = await door();
  const url = address.replace('PORT', String(port)).replace('HOST', '127.0.0.1');
  const signal = AbortSignal.timeout(500);
  const failed = await strict(url, { signal }).catch((error: Error) => error);
  expect(failed).toBeInstanceOf(Error);
  if (why !== 'ends') expect((failed as Error).message).toContain(why);
  expect(knocks()).toBe(0);
});

it('reaches private networks that the operator allows, and no others', async () => {
  const { port, knocks } = await door();
  const allowing = (networks: string) =>
    guardedFetch({ mayReach: reachableAddresses(networks) })(`https://127.0.0.1:${port}/`);
  await expect(allowing('10.0.0.0/8, fd00::/8')).rejects.toThrow('private');
  expect(knocks()).toBe(0);
  await expect(allowing('10.0.0.0/8, 127.0.0.1')).rejects.not.toThrow('private');
  expect(knocks()).toBe(1);
  for (const wrong of ['all', '10.0.0.0/33', '10.0.0.0/0', '10.0.0', 'localhost'])
    expect(() => readConfig({ ALLOWED_PRIVATE_NETWORKS: wrong })).toThrow(
      'ALLOWED_PRIVATE_NETWORKS must be addresses or ranges',
    );
});

it('connects to the address that was checked: the name is looked up once', async () => {
  const { port, knocks } = await door();
  const asked: string[] = [];
  // The first answer passes; a second lookup would be seen here.
  const mayReach = (address: string) => asked.push(address) > 0;
  await expect(
    guardedFetch({ mayReach })(`https://localhost:${port}/`, {
      signal: AbortSignal.timeout(2_000),
    }),
  ).rejects.toThrow();
  expect(knocks()).toBeGreaterThan(0);
  expect(asked.length).toBe(new Set(asked).size);
});

it('checks where a redirect leads, and takes no credentials there', async () => {
  const { port, knocks } = await door();
  const seen: (string | undefined)[] = [];
  const second = await serve((request, response) => {
    seen.push(request.headers.authorization);
    response.end('here');
  });
  const first = await serve((request, response) => {
    const to = { '/away': second, '/in': `https://127.0.0.1:${port}/`, '/loop': '/loop' };
    response.writeHead(302, { location: to[request.url as keyof typeof to] }).end();
  });
  const one = guardedFetch({ mayReach: isPublicAddress, trusted: [first] });
  const two = guardedFetch({ mayReach: isPublicAddress, trusted: [first, second] });
  const headers = { authorization: 'Bearer secret' };
  await expect(one(`${first}/away`, { headers })).rejects.toThrow('https');
  await expect(one(`${first}/in`)).rejects.toThrow('private');
  await expect(one(`${first}/loop`)).rejects.toThrow('redirects too often');
  expect((await one(`${first}/away`, { redirect: 'manual' })).status).toBe(302);
  expect([seen, knocks()]).toEqual([[], 0]);
  expect(await (await two(`${first}/away`, { headers })).text()).toBe('here');
  await two(second, { headers });
  expect(seen).toEqual([undefined, 'Bearer secret']);
});

it('gives up on answers that are too large or too slow', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/slow') return response.write('x');
    for (let n = 0; n < 100; n += 1) response.write('x'.repeat(1_000));
    return response.end();
  });
  const limited = guardedFetch({
    mayReach: isPublicAddress,
    trusted: [origin],
    maxBytes: 50_000,
    timeoutMs: 300,
  });
  await expect(limited(`${origin}/large`)).rejects.toThrow('more than 50000 bytes');
  await expect(limited(`${origin}/slow`)).rejects.toThrow(/timeout|aborted/i);
});

it('sends a form as it is, and reads any status', async () => {
  const origin = await serve((request, response) => {
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (text: string) => (body += text));
    request.on('end', () =>
      response.writeHead(body === '' ? 204 : 418, { 'x-one': 'a' }).end(body || undefined),
    );
  });
  const ours = guardedFetch({ mayReach: isPublicAddress, trusted: [origin] });
  const answer = await ours(origin, { method: 'POST', body: new URLSearchParams({ a: 'ä b' }) });
  expect([answer.status, answer.headers.get('x-one'), await answer.text()]).toEqual([
    418,
    'a',
    'a=%C3%A4+b',
  ]);
  expect((await ours(new URL(origin))).status).toBe(204);
});

it('knows what a test server is: something connects', async () => {
  const { port, knocks } = await door();
  await new Promise(closed => connect(port, '127.0.0.1').on('error', closed).on('close', closed));
  expect(knocks()).toBe(1);
});
