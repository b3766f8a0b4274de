import type { Client } from '@modelcontextprotocol/client';
import { connectMcp, modernRequest, MODERN } from '../../support/mcp-client.ts';
import { SITE, startAssistant, type TestAssistant } from './harness.ts';

const LINKED = {
  ...SITE,
  'docs/guides/pumps.md':
    '---\ntitle: Pumps\n---\nFirst [install](../install.md#with-npm), see ![it](/img/pump.png), ' +
    'and [others](https://pumps.test/).\n\n```\n[not](../install.md)\n```\n',
};
const CITED = {
  ...{ type: 'search_result_location' as const, cited_text: '' },
  ...{ search_result_index: 0, start_block_index: 0, end_block_index: 1 },
  ...{ source: '', title: null },
};
const PATH = '/discovery/v1/mcp/acme';
const ERAS = ['legacy', { pin: MODERN }] as const;

interface Structured {
  results: { title: string; url: string; path: string; content: string }[];
  url: string;
  content: string;
  answer: string;
  sources: { url: string }[];
  threadId: string;
  messageId: string;
}

let assistant: TestAssistant;
let url: string;
beforeAll(async () => {
  assistant = await startAssistant(
    () => ({ text: 'Run npm, see [the page](/install).', citations: [CITED] }),
    {},
    LINKED,
  );
  url = `${assistant.url}${PATH}`;
});
afterAll(() => assistant.close());

const open = (to: boolean) =>
  assistant.pool.query('update projects set public = $1 where domain = $2', [to, 'acme']);
const count = async (table: string) =>
  Number((await assistant.pool.query(`select count(*) from ${table}`)).rows[0].count);
async function call(client: Client, name: string, args: object) {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const [first] = result.content as unknown as [{ text: string }];
  return {
    text: first.text,
    isError: result.isError ?? false,
    structured: result.structuredContent as Structured,
  };
}

describe.each(ERAS)('the docs of a site over MCP, to a client of the era %j', mode => {
  let client: Client;
  beforeAll(async () => {
    client = await connectMcp(url, mode, assistant.key);
  });
  afterAll(() => client.close());

  it('lists four tools in a fixed order, with annotations and schemas', async () => {
    expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['search_docs', 'get_page', 'ask', 'submit_feedback'],
    ]);
    for (const { name, title, description, annotations, outputSchema } of tools) {
      expect(title).toMatch(/\S/);
      expect(description).toMatch(/\S/);
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(annotations).toEqual({
        ...{ readOnlyHint: name !== 'submit_feedback', destructiveHint: false },
        ...{ idempotentHint: true, openWorldHint: false },
      });
    }
    expect(Object.keys(tools[0]!.inputSchema.properties!)).toEqual(['query']);
  });

  it('finds pages, different ones for different questions, with absolute links', async () => {
    const docker = await call(client, 'search_docs', { query: 'install with docker' });
    expect(docker.structured.results[0]).toMatchObject({
      url: expect.stringMatching(/^https:\/\/docs\.acme\.test\/install/),
      content: expect.stringContaining('acme/pump'),
    });
    expect(docker.text).toMatch(/^Title: .+\nLink: https:\/\/.+\nContent: /);
    const pause = await call(client, 'search_docs', { query: 'pause a schedule' });
    expect(pause.structured.results[0]!.path).toMatch(/^\/schedule/);
    const nothing = await call(client, 'search_docs', { query: 'xyzzy' });
    expect(nothing).toMatchObject({ isError: false, structured: { results: [] } });
    expect(nothing.text).toContain('other words');
  });

  it('reads a page by path or address, with absolute links', async () => {
    const page = await call(client, 'get_page', { path: '/guides/pumps' });
    expect(page.structured.url).toBe('https://docs.acme.test/guides/pumps');
    expect(page.structured.content).toContain(
      'First [install](https://docs.acme.test/install#with-npm), see ' +
        '![it](https://docs.acme.test/img/pump.png), and [others](https://pumps.test/).' +
        '\n\n```\n[not](../install.md)\n```',
    );
    expect(await call(client, 'get_page', { url: page.structured.url })).toEqual(page);
    for (const [given, sentence] of [
      [{ path: '/none' }, 'There is no such page.'],
      [{ path: '/billing' }, 'There is no such page.'], // for a group only
      [{}, 'url or path is required.'],
      [{ path: 7 }, 'path must be a string of at most 1000 characters.'],
    ] as const)
      expect(await call(client, 'get_page', given)).toMatchObject({
        isError: true,
        text: sentence,
      });
  });

  it('answers a question as over HTTP, counts it, and takes a vote', async () => {
    const before = [await count('questions'), await count('model_calls')];
    const { text, structured } = await call(client, 'ask', { question: 'How do I install it?' });
    expect(structured.answer).toContain('[the page](https://docs.acme.test/install)');
    expect(structured.answer).not.toContain('suggestions');
    expect(structured.sources[0]!.url).toMatch(/^https:\/\/docs\.acme\.test\//);
    expect(text).toContain('Sources:\n- ');
    expect([await count('questions'), await count('model_calls')]).toEqual(
      before.map(one => one + 1),
    );
    const { threadId, messageId } = structured;
    const vote = { threadId, messageId, helpful: false, tags: ['incorrect'], comment: 'No.' };
    expect((await call(client, 'submit_feedback', vote)).isError).toBe(false);
    const votes = await assistant.pool.query(
      'select helpful, tags, comment from answer_votes where message_id = $1',
      [messageId],
    );
    expect(votes.rows).toEqual([{ helpful: false, tags: ['incorrect'], comment: 'No.' }]);
    const next = await call(client, 'ask', { question: 'And with Docker?', threadId });
    expect(next.structured.threadId).toBe(threadId);
    expect(assistant.model.requests.at(-1)!.body.messages).toHaveLength(3);
    expect(await call(client, 'ask', { question: 'x', threadId: 'thread_none' })).toMatchObject({
      isError: true,
      text: 'There is no such thread.',
    });
  });

  it('refuses a tool that there is not as an error of the protocol', async () => {
    await expect(client.callTool({ name: 'none', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
  });
});

it('reads a public site without a key, and does not answer then', async () => {
  await expect(connectMcp(url, 'auto')).rejects.toThrow();
  await open(true);
  try {
    for (const mode of ERAS) {
      const client = await connectMcp(url, mode);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        ...['search_docs', 'get_page'],
      ]);
      expect((await call(client, 'search_docs', { query: 'install' })).isError).toBe(false);
      await expect(
        client.callTool({ name: 'ask', arguments: { question: 'x' } }),
      ).rejects.toThrow();
      await client.close();
    }
  } finally {
    await open(false);
  }
});

it('offers versions and languages where a site has several', async () => {
  await assistant.pool.query(
    `update search_indexes set site = site || '{"versions": ["1", "2"], "languages": ["en", "de"]}'`,
  );
  const client = await connectMcp(url, 'auto', assistant.key);
  const [search] = (await client.listTools()).tools;
  expect(Object.keys(search!.inputSchema.properties!)).toEqual(['query', 'version', 'language']);
  await client.close();
});

describe('what the protocol refuses', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${assistant.key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });
  const error = async (response: Response) => [
    response.status,
    ((await response.json()) as { error: { code: number } }).error.code,
  ];
  const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  it('JSON that is none, a batch, a message that is none, another type, too large a body', async () => {
    expect(await error(await post('{"jsonrpc": '))).toEqual([400, -32_700]);
    expect(await error(await post(`[${LIST},${LIST}]`))).toEqual([400, -32_600]);
    expect(await error(await post('{"hello": 1}'))).toEqual([400, expect.any(Number)]);
    expect(await error(await post(LIST, { 'content-type': 'text/plain' }))).toEqual([415, -32_600]);
    expect((await post(`"${'x'.repeat(70_000)}"`)).status).toBe(413);
  });

  it('a version that it does not know, with those that it does', async () => {
    const { status, body } = await modernRequest(
      url,
      assistant.key,
      'tools/list',
      {},
      {
        version: '2031-01-01',
      },
    );
    expect([status, body.error?.code]).toEqual([400, -32_022]);
    expect(body.error?.data).toEqual({ supported: [MODERN], requested: '2031-01-01' });
    expect((await post(LIST, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  });

  it('a method that there is not, and one to listen', async () => {
    const unknown = await modernRequest(url, assistant.key, 'none/such');
    expect([unknown.status, unknown.body.error?.code]).toEqual([404, -32_601]);
    const prompts = await modernRequest(url, assistant.key, 'prompts/list');
    expect(prompts.body.error?.code).toBe(-32_601);
    const listen = await modernRequest(url, assistant.key, 'subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    expect(listen.body.error?.code).toBeLessThan(0);
  });

  it('headers that say something else than the body', async () => {
    const { status } = await modernRequest(
      url,
      assistant.key,
      'tools/list',
      {},
      {
        headers: { 'mcp-method': 'tools/call' },
      },
    );
    expect(status).toBe(400);
  });

  it('other methods of HTTP', async () => {
    for (const method of ['GET', 'DELETE', 'PUT'])
      expect((await fetch(url, { method })).status).toBe(405);
  });

  it('pages of other origins, without a key and with the list of one', async () => {
    const from = (origin: string, key?: string) =>
      modernRequest(url, key, 'server/discover', {}, { headers: { origin } });
    const listed = await assistant.createKey({ allowedOrigins: ['https://docs.acme.test'] });
    expect((await from('https://evil.test', listed.token)).status).toBe(403);
    expect((await from('https://docs.acme.test', listed.token)).status).toBe(200);
    await open(true);
    expect((await from('https://evil.test')).status).toBe(403);
    expect((await from('null')).status).toBe(403);
    expect((await from('https://docs.acme.test')).status).toBe(200);
    await open(false);
  });

  it('a site that is private, or of another', async () => {
    const { status, body } = await modernRequest(url, undefined, 'tools/list');
    expect([status, body.detail]).toEqual([401, expect.stringContaining('Send an API key')]);
    const other = await modernRequest(
      `${assistant.url}/discovery/v1/mcp/none`,
      assistant.key,
      'ping',
    );
    expect(other.status).toBe(404);
  });
});

it('tells what it is, in the newer era, and for how long that holds', async () => {
  const { status, body } = await modernRequest(url, assistant.key, 'server/discover');
  expect(status).toBe(200);
  expect(body.result).toMatchObject({
    resultType: 'complete',
    supportedVersions: expect.arrayContaining([MODERN]),
    capabilities: { tools: {} },
    cacheScope: 'private',
    ttlMs: 300_000,
  });
});

it('answers with progress to a client that asks for it', async () => {
  const client = await connectMcp(url, { pin: MODERN }, assistant.key);
  const heard: unknown[] = [];
  await client.callTool(
    { name: 'ask', arguments: { question: 'How do I install it?' } },
    { onprogress: progress => heard.push(progress) },
  );
  expect(heard).toEqual([{ progress: 1, message: 'Reading the docs' }]);
  await client.close();
});

it('keeps to the limits of the assistant', async () => {
  const { token } = await assistant.createKey({ monthlyLimit: 1 });
  const client = await connectMcp(url, 'auto', token);
  expect((await call(client, 'ask', { question: 'Install?' })).isError).toBe(false);
  expect(await call(client, 'ask', { question: 'Install?' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Limit exceeded: 1 uses per month for this API key/),
  });
  expect((await call(client, 'search_docs', { query: 'install' })).isError).toBe(false);
  await client.close();
});

describe('the files by which it is found', () => {
  const file = (path: string, key: string | null = assistant.key) =>
    fetch(`${assistant.url}/discovery/v1/acme/.well-known/${path}`, {
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
    });

  it('name its public address and every tool, the one that writes too', async () => {
    for (const path of ['mcp', 'mcp.json', 'mcp/server-card.json']) {
      const response = await file(path);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      const text = await response.text();
      expect(text).toMatch(/"url":"http:\/\/[^"]+\/discovery\/v1\/mcp\/acme"/);
      for (const name of ['search_docs', 'get_page', 'ask', 'submit_feedback'])
        expect(text).toContain(`"name":"${name}"`);
    }
    expect(await (await file('mcp')).json()).toMatchObject({
      servers: [{ transport: 'http', authentication: 'bearer' }],
    });
    expect(await (await file('mcp/server-card.json')).json()).toMatchObject({
      remotes: [{ type: 'streamable-http', headers: [{ name: 'Authorization' }] }],
    });
  });

  it('are those of public sites to everybody', async () => {
    expect((await file('mcp', null)).status).toBe(401);
    await open(true);
    expect(await (await file('mcp', null)).json()).toMatchObject({
      servers: [{ authentication: 'none' }],
    });
    await open(false);
  });
});

it('answers 200 calls, 20 at once, in both eras', async () => {
  const clients = await Promise.all(
    Array.from({ length: 20 }, (_, at) => connectMcp(url, ERAS[at % 2]!, assistant.key)),
  );
  const queries = ['install with npm', 'pause a schedule', 'docker image', 'waters plants'];
  const answers = await Promise.all(
    clients.map(async (client, at) => {
      const paths: string[] = [];
      for (let n = 0; n < CALLS / 20; n++) {
        const { structured } = await call(client, 'search_docs', { query: queries[(at + n) % 4]! });
        paths.push(structured.results[0]!.path.split('#')[0]!);
      }
      await client.close();
      return paths.map((path, n) => [(at + n) % 4, path]);
    }),
  );
  expect(new Set(answers.flat().map(one => one.join(' ')))).toEqual(
    new Set(['0 /install', '1 /schedule', '2 /install', '3 /']),
  );
}, 120_000);

/** 1,000 in the slow lane. */
const CALLS = process.env['SLOW'] ? 1_000 : 200;
