import { request as httpRequest } from 'node:http';
import { jest } from '@jest/globals';
import { addressScope } from '../../../api/plugins/client-address.ts';
import { question, startAssistant, type TestAssistant } from './harness.ts';

const V2 = '/discovery/v2/assistant/acme/message';
const V1 = '/discovery/v1/assistant/acme/message';
const ASK = { fp: 'anonymous', messages: [question('How do I install it?')] };

let assistant: TestAssistant;
beforeAll(async () => {
  assistant = await startAssistant(() => ({ text: 'ok' }));
});
afterAll(() => assistant.close());

/** Browsers' own headers, which `fetch` does not let us set. */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<{
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      assistant.url + path,
      { method, headers: { ...(body && { 'content-type': 'application/json' }), ...headers } },
      response => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            text += chunk;
          })
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          );
      },
    );
    request.on('error', reject).end(body);
  });
}

describe('a body', () => {
  const rejected: [string, object, string][] = [
    ['no fp', { messages: ASK.messages }, 'fp'],
    ['an empty fp', { ...ASK, fp: '' }, 'fp'],
    ['no messages', { fp: 'x' }, 'messages'],
    ['empty messages', { fp: 'x', messages: [] }, 'messages'],
    ['201 messages', { fp: 'x', messages: Array(201).fill(question('a')) }, 'messages'],
    [
      'a message without parts',
      { fp: 'x', messages: [{ role: 'user', content: 'x' }] },
      'messages[0].parts',
    ],
    [
      'an unknown role',
      { fp: 'x', messages: [{ ...question('a'), role: 'robot' }] },
      'messages[0].role',
    ],
    [
      'a part without a type',
      { fp: 'x', messages: [{ role: 'user', parts: [{ text: 'x' }] }] },
      'messages[0].parts[0].type',
    ],
    [
      'a message of 100,001 characters',
      { fp: 'x', messages: [question('x'.repeat(100_001))] },
      'messages',
    ],
    [
      'no question',
      { fp: 'x', messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'x' }] }] },
      'messages',
    ],
    ['retrievalPageSize 0', { ...ASK, retrievalPageSize: 0 }, 'retrievalPageSize'],
    ['retrievalPageSize 51', { ...ASK, retrievalPageSize: 51 }, 'retrievalPageSize'],
    ['retrievalPageSize 2.5', { ...ASK, retrievalPageSize: 2.5 }, 'retrievalPageSize'],
    ['a long currentPath', { ...ASK, currentPath: 'x'.repeat(201) }, 'currentPath'],
    [
      'an unknown context type',
      { ...ASK, context: [{ type: 'image', value: 'x' }] },
      'context[0].type',
    ],
    ['a context without value', { ...ASK, context: [{ type: 'code' }] }, 'context[0].value'],
    [
      'a long context',
      { ...ASK, context: [{ type: 'code', value: 'x'.repeat(20_001) }] },
      'context[0].value',
    ],
    ['51 contexts', { ...ASK, context: Array(51).fill({ type: 'code', value: 'x' }) }, 'context'],
    ['a filter that is no object', { ...ASK, filter: 'v2' }, 'filter'],
    ['a number as threadId', { ...ASK, threadId: 7 }, 'threadId'],
  ];
  it.each(rejected)('with %s is refused by the member’s name', async (_name, body, path) => {
    const response = await assistant.post(V2, body);
    expect(response.status).toBe(400);
    const problem = (await response.json()) as { error: string; errors: { path: string }[] };
    expect(problem.errors.map(error => error.path)).toContain(path);
    expect(problem.error).toContain(path);
  });

  it('burns nothing when it is refused, nor when its key, domain or thread is', async () => {
    const before = await counts();
    await assistant.post(V2, {});
    await assistant.post(V2, ASK, { key: 'svc_dsc_nonsense' });
    await assistant.post('/discovery/v2/assistant/other/message', ASK);
    expect((await assistant.post(V2, { ...ASK, threadId: 'thread_none' })).status).toBe(404);
    expect(await counts()).toEqual(before);
  });

  it('may be what hooks send: null members, extra members, every kind of part, 2 MB of them', async () => {
    const parts = [
      { type: 'step-start' },
      {
        type: 'tool-search',
        toolCallId: 'x',
        state: 'output-available',
        output: { results: [{ content: 'x'.repeat(2e6) }] },
      },
      { type: 'source-url', sourceId: 's', url: '/x' },
      { type: 'data-x', data: {} },
      { type: 'file', url: 'data:,' },
      { type: 'text', text: 'Hi', state: 'done' },
    ];
    const response = await assistant.post(V2, {
      ...ASK,
      id: 'chat',
      trigger: 'submit-message',
      messageId: null,
      threadId: null,
      filter: null,
      context: null,
      currentPath: null,
      retrievalPageSize: null,
      messages: [
        question('one', 'a'),
        { id: 'b', role: 'assistant', parts, metadata: { threadId: 'x' } },
        { role: 'assistant', parts: [] },
        question('two', 'c'),
      ],
    });
    expect(response.status).toBe(200);
    await response.text();
  });

  it('over 4 MiB is too large', async () => {
    expect((await assistant.post(V2, { ...ASK, junk: 'x'.repeat(4.1 * 1024 * 1024) })).status).toBe(
      413,
    );
  });
});

describe('keys', () => {
  it('open their own domain only', async () => {
    expect((await assistant.post('/discovery/v2/assistant/nowhere/message', ASK)).status).toBe(404);
    const admin = await assistant.createKey({ kind: 'admin' });
    expect((await assistant.post(V2, ASK, { key: admin.token })).status).toBe(403);
  });

  it('with a list of origins answer those only, and name them to the browser', async () => {
    const { token } = await assistant.createKey({ allowedOrigins: ['https://docs.acme.test'] });
    const ask = (origin?: string) =>
      send(
        'POST',
        V2,
        { authorization: `Bearer ${token}`, ...(origin && { origin }) },
        JSON.stringify(ASK),
      );
    const good = await ask('https://docs.acme.test');
    expect(good.status).toBe(200);
    expect(good.headers).toMatchObject({
      'access-control-allow-origin': 'https://docs.acme.test',
      vary: 'Origin',
    });
    for (const origin of [
      'https://evil.test',
      'https://docs.acme.test.evil.test',
      'http://docs.acme.test',
      undefined,
    ]) {
      const refused = await ask(origin);
      expect(refused.status).toBe(403);
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('with an origin of any subdomain answer those, by their parsed host', async () => {
    const { token } = await assistant.createKey({
      allowedOrigins: ['https://*.acme.test', 'https://*.acme.test:8443'],
    });
    const status = async (origin: string) =>
      (await send('POST', V2, { authorization: `Bearer ${token}`, origin }, JSON.stringify(ASK)))
        .status;
    for (const origin of ['https://docs.acme.test', 'https://a.b.ACME.test:8443'])
      expect([origin, await status(origin)]).toEqual([origin, 200]);
    for (const origin of [
      'https://evil.test/.acme.test',
      'https://evil.test#.acme.test',
      'https://evil.test?.acme.test',
      'https://evil.test\\.acme.test',
      'https://evil.test:1.acme.test',
      'https://x@docs.acme.test',
      'https://docs.acme.test/',
      'https://docs.acme.test:8444',
      'https://acme.test',
      'https://evilacme.test',
      'https://.acme.test.evil.test',
      'http://docs.acme.test',
      'null',
    ])
      expect([origin, await status(origin)]).toEqual([origin, 403]);
  });

  it('with a list of addresses answer those only', async () => {
    const { token } = await assistant.createKey({ allowedAddresses: ['192.0.2.0/24'] });
    expect((await assistant.post(V2, ASK, { key: token })).status).toBe(403);
    const here = await assistant.createKey({ allowedAddresses: ['127.0.0.0/8'] });
    expect((await assistant.post(V2, ASK, { key: here.token })).status).toBe(200);
  });
});

describe('CORS', () => {
  it.each([V2, V1, '/discovery/v1/search/acme', '/discovery/v1/page/acme'])(
    'answers the preflight of %s without a key',
    async path => {
      const response = await send('OPTIONS', path, {
        origin: 'https://a.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,user-agent',
      });
      expect(response.status).toBe(204);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['access-control-allow-methods']).toContain('POST');
      expect(
        String(response.headers['access-control-allow-headers']).toLowerCase().split(', '),
      ).toEqual(expect.arrayContaining(['authorization', 'content-type', 'user-agent']));
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
    },
  );

  it('lets pages pass whose monitoring adds headers to every request', async () => {
    const asked = ['baggage', 'sentry-trace', 'traceparent', 'x-datadog-trace-id', 'x-request-id'];
    const { headers } = await send('OPTIONS', V2, {
      origin: 'https://a.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': `${asked.join(', ')},b@d`,
    });
    expect(headers['access-control-allow-headers']).toBe(
      `Authorization, Content-Type, User-Agent, ${asked.join(', ')}`,
    );
  });

  it('is on answers and on every refusal, and exposes what a page may read', async () => {
    const all = [
      await assistant.post(V2, ASK),
      await assistant.post(V2, {}),
      await assistant.post(V2, ASK, { key: 'x' }),
      await assistant.post('/discovery/v2/assistant/none/message', ASK),
      await assistant.post('/discovery/v9/none'),
      await fetch(assistant.url + V2),
      await assistant.post(V2, { ...ASK, junk: 'x'.repeat(4.1 * 1024 * 1024) }),
    ];
    expect(all.map(response => response.status)).toEqual([200, 400, 401, 404, 404, 401, 413]);
    for (const response of all) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toBe(
        'X-Thread-Id, X-Request-Id, X-Pages-Read, RateLimit, RateLimit-Policy, Retry-After',
      );
    }
  });

  it('is not on the agent’s endpoints', async () => {
    const response = await send('POST', '/v2/agent/prj/job', { origin: 'https://a.test' }, '{}');
    expect(response.status).toBe(401);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('limits', () => {
  afterEach(() => jest.restoreAllMocks());

  it('show the key’s and the address’s policy on answers, never the organization’s', async () => {
    const { headers } = await assistant.post(V2, ASK);
    expect(headers.get('ratelimit-policy')).toMatch(
      /^"assistant-key";q=10000;w=(2419200|2505600|2592000|2678400), "address";q=10000;w=86400$/,
    );
    expect(headers.get('ratelimit')).toMatch(
      /^"assistant-key";r=99\d\d;t=\d+, "address";r=9\d\d\d;t=\d+$/,
    );
  });

  it('used up are 429 with the limit’s name, when it resets, and no use burned', async () => {
    const { token, id } = await assistant.createKey({ monthlyLimit: 1 });
    expect((await assistant.post(V2, ASK, { key: token })).status).toBe(200);
    const began = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(began);
    const response = await assistant.post(V2, ASK, { key: token });
    expect(response.status).toBe(429);
    const problem = (await response.json()) as { error: string };
    const now = new Date();
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(problem.error).toBe(
      `Limit exceeded: 1 uses per month for this API key. It resets at ${next.toISOString()}.`,
    );
    expect(
      Math.abs(Number(response.headers.get('retry-after')) - (next.getTime() - Date.now()) / 1000),
    ).toBeLessThan(5);
    expect(response.headers.get('ratelimit')).toMatch(/^"assistant-key";r=0;t=\d+, /);
    const { rows } = await assistant.pool.query('select n from limit_counts where id = $1', [id]);
    expect(rows).toEqual([{ n: 1 }]);

    await assistant.pool.query(
      `update limit_counts set window_start = window_start - interval '1 month' where id = $1`,
      [id],
    );
    expect((await assistant.post(V2, ASK, { key: token })).status).toBe(429); // remembered, for a second
    clock.mockReturnValue(began + 1_000);
    expect((await assistant.post(V2, ASK, { key: token })).status).toBe(200);
  });

  it('of cost stop a key', async () => {
    const capped = await startAssistant(() => ({ text: 'ok', usage: { input: 1_000_000 } }), {
      ASSISTANT_KEY_MONTHLY_COST_LIMIT_USD: '2',
      MODEL_PRICES: '{"claude-sonnet-5-5":{"input":3,"output":15}}',
    });
    try {
      expect((await capped.ask()).status).toBe(200);
      const response = await capped.post(V2, ASK);
      expect(response.status).toBe(429);
      expect(((await response.json()) as { error: string }).error).toContain(
        'monthly cost of this API key',
      );
    } finally {
      await capped.close();
    }
  });

  it('count IPv6 by /64 and IPv4 in IPv6 as IPv4', () => {
    expect(addressScope('192.0.2.7')).toBe('192.0.2.7');
    expect(addressScope('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(addressScope('2001:db8:0:1:aaaa::1')).toBe(addressScope('2001:0db8::1:ffff:0:0:2'));
    expect(addressScope('2001:db8:0:2::1')).not.toBe(addressScope('2001:db8:0:1::1'));
    expect(addressScope('::1')).toBe('0:0:0:0::/64');
    expect(addressScope('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });

  it('believe a proxy’s word on the address only where it is trusted', async () => {
    const forwarded = { 'x-forwarded-for': '198.51.100.9' };
    await assistant.ask({}, { headers: forwarded });
    const known = async (one: TestAssistant) =>
      (
        await one.pool.query(`select id from limit_counts where scope = 'address' order by id`)
      ).rows.map(row => (row as { id: string }).id);
    expect(await known(assistant)).toEqual(['127.0.0.1']);
    const behind = await startAssistant(() => ({ text: 'ok' }), {
      TRUSTED_PROXIES: '127.0.0.1/32',
    });
    try {
      await behind.ask({}, { headers: forwarded });
      expect(await known(behind)).toEqual(['198.51.100.9']);
    } finally {
      await behind.close();
    }
  });
});

async function counts(): Promise<Record<string, number>> {
  const { rows } = await assistant.pool.query<{ scope: string; n: number }>(
    'select scope, sum(n)::integer as n from limit_counts group by scope',
  );
  return {
    key: 0,
    address: 0,
    organization: 0,
    ...Object.fromEntries(rows.map(row => [row.scope, row.n])),
  };
}
