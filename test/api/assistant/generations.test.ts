import { question, startAssistant, type TestAssistant } from './harness.ts';

const V2 = '/discovery/v2/assistant/acme/message';
const V1 = '/discovery/v1/assistant/acme/message';
const ASK = { fp: 'anonymous', messages: [question('How do I install it?')] };

let assistant: TestAssistant;
beforeAll(async () => {
  assistant = await startAssistant(() => ({ text: 'ok' }));
});
afterAll(() => assistant.close());

describe('search and page', () => {
  it('answer from the index, through the same filter, and count no use of the key', async () => {
    const before = await counts();
    const found = (await (
      await assistant.post('/discovery/v1/search/acme', { query: 'install the pump', pageSize: 1 })
    ).json()) as object[];
    expect(found).toEqual([
      {
        content: expect.stringContaining('npm install acme') as string,
        path: '/install',
        url: 'https://docs.acme.test/install',
        metadata: { title: 'Installation' },
      },
    ]);
    expect(
      JSON.stringify(
        await (
          await assistant.post('/discovery/v1/search/acme', {
            query: 'install the pump',
            filter: { groups: ['staff'] },
          })
        ).json(),
      ),
    ).toContain('/billing');
    const page = await assistant.post('/discovery/v1/page/acme', { path: '/install' });
    expect(await page.json()).toEqual({
      path: '/install',
      content: expect.stringContaining('## With npm') as string,
    });
    expect((await assistant.post('/discovery/v1/page/acme', { path: '/billing' })).status).toBe(
      404,
    );
    expect(
      (
        await assistant.post('/discovery/v1/page/acme', {
          path: '/billing',
          filter: { groups: ['staff'] },
        })
      ).status,
    ).toBe(200);
    const after = await counts();
    expect(after['key']).toBe(before['key']);
    expect(after['organization']! - before['organization']!).toBe(5);
    expect(after['address']! - before['address']!).toBe(5);
  });

  it('refuse what they do not take', async () => {
    expect((await assistant.post('/discovery/v1/search/acme', { query: '' })).status).toBe(400);
    expect(
      (await assistant.post('/discovery/v1/search/acme', { query: 'x', pageSize: 51 })).status,
    ).toBe(400);
    expect((await assistant.post('/discovery/v1/page/acme', {})).status).toBe(400);
    expect(
      await (await assistant.post('/discovery/v1/search/acme', { query: '?!' })).json(),
    ).toEqual([]);
  });
});

describe('v1', () => {
  const lines = async (body: object) => {
    const response = await assistant.post(V1, body);
    return { response, lines: (await response.text()).trimEnd().split('\n') };
  };

  it('streams the data stream to clients with parts', async () => {
    const { response, lines: got } = await lines({
      fp: 'anonymous',
      messages: [{ ...question('How do I install it?'), content: 'How do I install it?' }],
    });
    expect(
      got
        .map(line => line.slice(0, 2))
        .join('')
        .replace(/(0:)+/, '0:'),
    ).toBe('f:9:a:e:f:0:8:2:e:d:');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-vercel-ai-data-stream')).toBe('v1');
    expect(response.headers.get('x-thread-id')).toBe(
      (JSON.parse(got.at(-1)!.slice(2)) as { threadId: string }).threadId,
    );
    expect(Array.isArray((JSON.parse(got[2]!.slice(2)) as { result: unknown }).result)).toBe(true);
  });

  it('spares older clients, which send content only', async () => {
    const { lines: got } = await lines({
      fp: 'anonymous',
      messages: [{ role: 'user', content: 'How do I install it?' }],
    });
    expect(
      got
        .map(line => line.slice(0, 2))
        .join('')
        .replace(/(0:)+/, '0:'),
    ).toBe('9:a:e:0:8:2:e:d:');
  });

  it('is deprecated and names its successor', async () => {
    const { headers } = await assistant.post(V1, ASK);
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(headers.get('link')).toBe(
      '</discovery/v2/assistant/acme/message>; rel="successor-version"',
    );
    expect((await assistant.post(V2, ASK)).headers.get('deprecation')).toBeNull();
  });
});

describe('finish', () => {
  const finish = async (body: object, query = '') =>
    (await assistant.ask(body, { query })).chunks.at(-1);

  it('carries the thread at the top level for readers of the raw events only', async () => {
    const raw = await finish({});
    expect(raw!['threadId']).toBe((raw!['messageMetadata'] as { threadId: string }).threadId);
    expect(await finish({ trigger: 'submit-message' })).not.toHaveProperty('threadId');
    expect(await finish({}, '?finish=metadata')).not.toHaveProperty('threadId');
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
