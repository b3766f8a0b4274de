import { type AddressInfo, connect } from 'node:net';
import { createLogger } from '../../shared/logger.ts';
import { until } from '../support/until.ts';
import { startApi, type TestApi } from './harness.ts';
import { HOSTILE_BODIES } from './hostile-bodies.ts';

const MIB = 1024 * 1024;

let api: TestApi;
const lines: { level: number; msg: string; err?: object }[] = [];
beforeAll(async () => {
  const write = (line: string) => void lines.push(JSON.parse(line));
  api = await startApi({}, createLogger('debug', { write }));
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => api.close());

let callers = 0;
/** Posts text as JSON, from an address of its own unless one is given. */
async function post(path: string, payload: string, address?: string) {
  const key = path.startsWith('/discovery') ? api.tenant.assistantKey : api.tenant.adminKey;
  return await api.app.inject({
    method: 'POST',
    url: path,
    payload,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    remoteAddress: address ?? `198.51.100.${++callers}`,
  });
}

const message = () => `/discovery/v2/assistant/${api.tenant.project.domain}/message`;
const discovery = () =>
  ['v2/assistant/D/message', 'v1/assistant/D/message', 'v1/search/D', 'v1/page/D'].map(
    path => `/discovery/${path.replace('D', api.tenant.project.domain)}`,
  );

it('refuses an array where an object belongs', async () => {
  for (const path of [...discovery(), `${api.base}/job`])
    for (const body of ['[]', '[1]', '[{}]']) {
      const answer = await post(path, body);
      expect([path, body, answer.statusCode, answer.json().error]).toEqual([
        path,
        body,
        400,
        'The body must be an object.',
      ]);
    }
});

it('refuses what is nested too deep, before anything walks it', async () => {
  const brackets = '['.repeat(20_000) + ']'.repeat(20_000);
  const objects = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
  const question = '"fp":"anonymous","messages":[{"role":"user","parts":[]}]';
  for (const [path, body] of [
    [message(), `{${question},"trigger":${brackets}}`],
    [message(), `{${question},"messageId":${objects}}`],
    [message(), '['.repeat(4 * MIB)],
    [`${api.base}/job`, `{"prompt":${objects}}`],
    [`/v1/agent/${api.tenant.project.id}/job`, `{"messages":${brackets}}`],
  ] as const) {
    const answer = await post(path, body);
    expect([path, answer.statusCode, answer.json().error]).toEqual([
      path,
      400,
      'The body is nested more than 100 levels deep.',
    ]);
  }
  const fine = JSON.stringify({ prompt: `${'['.repeat(500)} "${'{'.repeat(500)}\\" [` });
  expect((await post(`${api.base}/job`, fine)).statusCode).toBe(201);
});

it('finds U+0000 wherever it stands', async () => {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'a\0b' }] }];
  const answer = await post(message(), JSON.stringify({ fp: 'anonymous', messages }));
  expect([answer.statusCode, answer.json().errors]).toEqual([
    400,
    [{ path: 'messages[0].parts[0].text', message: 'must not contain the character U+0000' }],
  ]);
  const asked = await api.app.inject({
    url: '/v1/webhooks/whe_1/deliveries?after=a%00b',
    headers: { authorization: `Bearer ${api.tenant.adminKey}` },
  });
  expect([asked.statusCode, asked.json().errors]).toEqual([
    400,
    [{ path: 'after', message: 'must not contain the character U+0000' }],
  ]);
});

it('refuses in addresses of all documented routes what no text contains', async () => {
  interface Documented {
    paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
  }
  const { paths } = (await api.app.inject('/openapi.json')).json<Documented>();
  let calls = 0;
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { parameters = [] }] of Object.entries(operations))
      for (const { name, in: where } of parameters.filter(each => each.in !== 'header'))
        for (const wrong of ['a%00b', 'a%ED%A0%80']) {
          const ours = { projectId: api.tenant.project.id, domain: api.tenant.project.domain };
          const filled = path.replace(/\{(\w+)\}/g, (_, each: string) =>
            where === 'path' && each === name ? wrong : (ours[each as 'domain'] ?? 'x'),
          );
          const isReaders = path.startsWith('/discovery');
          const answer = await api.app.inject({
            method: method.toUpperCase() as 'GET',
            url: where === 'query' ? `${filled}?${name}=${wrong}` : filled,
            headers: {
              authorization: `Bearer ${isReaders ? api.tenant.assistantKey : api.tenant.adminKey}`,
            },
          });
          calls++;
          expect([method, path, name, wrong, answer.statusCode]).toEqual([
            ...[method, path, name, wrong, 400],
          ]);
        }
  expect(calls).toBeGreaterThan(100);
});

it('has a limit for each route that fits its use', async () => {
  const sizes: [path: string, limit: number][] = [
    ...discovery().map((path): [string, number] => [
      path,
      /message$/.test(path) ? 4 * MIB : MIB / 16,
    ]),
    [`${api.base}/job`, MIB],
    [`/v1/agent/${api.tenant.project.id}/job`, MIB],
    ['/api/dashboard/session', MIB / 16],
  ];
  for (const [path, limit] of sizes) {
    const body = (size: number) => `{"x":"${'y'.repeat(size - 8)}"}`;
    expect([path, (await post(path, body(limit))).statusCode]).not.toEqual([path, 413]);
    if (!path.startsWith('/api'))
      expect([path, (await post(path, body(limit + 1))).statusCode]).toEqual([path, 413]);
  }
});

it('refuses a large body by its Content-Length, without reading it', async () => {
  const { port } = api.app.addresses()[0] as AddressInfo;
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `POST ${message()} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          `Authorization: Bearer ${api.tenant.assistantKey}\r\n` +
          `Content-Length: ${4 * MIB + 1}\r\n\r\n`,
      ),
    );
    socket.setEncoding('utf8').on('data', resolve).on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(answer).toMatch(/connection: close/i);
});

it('spends little on a body that it refuses', async () => {
  for (const [name, body] of HOSTILE_BODIES) {
    const before = process.cpuUsage();
    const answer = await post(message(), body);
    const { user, system } = process.cpuUsage(before);
    expect([name, answer.statusCode]).toEqual([name, 400]);
    // `npm run bench -- bodies` has the figures: this is for what would take many times as long.
    expect([name, user + system < 1_000_000]).toEqual([name, true]);
  }
});

it('gives others a turn between the steps of reading a large body', async () => {
  const read = ['one text', 'emoji', 'escapes', 'quotes and signs', 'long names', 'one number'];
  let longest = 0;
  for (const [name, body] of HOSTILE_BODIES) {
    let turns = 0;
    let reads = true;
    let last = performance.now();
    const turn = () => {
      turns += 1;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      if (reads) setImmediate(turn);
    };
    setImmediate(turn);
    await post(message(), body);
    reads = false;
    // One for each portion that is looked at, and after decoding and parsing.
    if (read.includes(name))
      expect([name, turns >= Math.floor(body.length / (MIB / 2))]).toEqual([name, true]);
  }
  console.info(`longest pause of the event loop: ${Math.round(longest)} ms`);
  // 50 ms on a machine of its own; the tests share theirs.
  expect(longest).toBeLessThan(500);
});

it('counts what it refuses of a key at an address, and lets everybody else through', async () => {
  const address = '203.0.113.5';
  const body = `{"fp":"","x":"${'y'.repeat(3 * MIB)}"}`;
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) statuses.push((await post(message(), body, address)).statusCode);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429]);
  const refused = await post(message(), body, address);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(refused.json().error).toMatch(/16 MiB of refused request bodies per minute/);
  // Other readers with the key, the team at the address, sign-in and webhooks.
  expect((await post(message(), body)).statusCode).toBe(400);
  const job = await post(`${api.base}/job`, '{"prompt":"Add a page"}', address);
  expect(job.statusCode).toBe(201);
  for (const url of ['/api/dashboard/session', '/github/webhook'])
    expect([400, 401, 403, 404]).toContain((await post(url, '{}', address)).statusCode);
});

it('does not report an outage when a caller leaves in the middle of a body', async () => {
  const { port } = api.app.addresses()[0] as AddressInfo;
  const from = lines.length;
  for (const path of [message(), '/git/x.git/git-upload-pack']) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          `Authorization: Bearer ${api.tenant.assistantKey}\r\nContent-Length: 1000\r\n\r\n{"fp"`,
        () => setTimeout(() => socket.destroy(), 200),
      );
    });
  }
  await until('it is logged', () =>
    lines.slice(from).some(({ msg }) => /connection ended before/.test(msg)),
  );
  expect(lines.slice(from).filter(({ level }) => level > 30)).toEqual([]);
});
