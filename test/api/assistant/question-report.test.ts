import { createKey } from '../../../db/projects/keys.ts';
import { cite } from '../../support/replies.ts';
import { startAssistant, type TestAssistant } from './harness.ts';

interface Report {
  questions: { title: string }[];
  pages: object[];
  searches: object[];
}

describe('what readers ask in a period', () => {
  let assistant: TestAssistant;
  let admin = '';
  beforeAll(async () => {
    assistant = await startAssistant(request =>
      JSON.stringify(request.messages.at(-1)).includes('rocket')
        ? { text: 'The docs do not say.' }
        : { text: 'Run npm.', citations: [cite(request)] },
    );
    const { organizationId } = assistant.project;
    const made = await createKey(assistant.pool, { organizationId, kind: 'admin', name: 'staff' });
    admin = made.token;
  });
  afterAll(() => assistant.close());

  const read = async (rest: string) => {
    const response = await fetch(
      `${assistant.url}/v1/analytics/${assistant.project.id}/questions${rest}`,
      { headers: { authorization: `Bearer ${admin}` } },
    );
    return { response, text: await response.text() };
  };
  const report = async (query = '') => JSON.parse((await read(query)).text) as Report;
  const lines = async (rest: string) => (await read(`/export?${rest}`)).text.split('\r\n');
  const ask = async (text: string, vote?: { helpful: boolean; comment?: string }) => {
    const { threadId, chunks } = await assistant.ask(text);
    const messageId = String(chunks[0]!['messageId']);
    if (vote) {
      const body = { threadId, messageId, ...vote };
      expect((await assistant.post('/discovery/v1/feedback/acme', body)).status).toBe(204);
    }
  };
  const search = (query: string) => assistant.post('/discovery/v1/search/acme', { query });

  it('is counted by group against the period before, with pages, votes and vain searches', async () => {
    await ask('=How do I install it with npm?');
    await assistant.pool.query("update questions set created_at = now() - interval '40 days'");
    await ask('How do I install it with npm?', { helpful: false, comment: '@port, "8080"' });
    await ask('How do I install it with npm?', { helpful: true });
    await ask('How do I launch the rocket?', { helpful: false });
    for (const query of ['Zzyq', 'zzyqx', ' ZZYQX  ', 'install']) await search(query);
    const found = await report();
    expect(found).toEqual({
      questions: [
        expect.objectContaining({
          ...{ title: 'How do I install it with npm?', asked: 2, askedBefore: 1, answered: 2 },
          ...{ helpful: 1, notHelpful: 1, state: 'open', page: null },
        }),
        expect.objectContaining({
          ...{ title: 'How do I launch the rocket?', asked: 1, askedBefore: 0, answered: 0 },
          ...{ helpful: 0, notHelpful: 1 },
        }),
      ],
      pages: [
        {
          ...{ url: 'https://docs.acme.test/install', title: expect.stringMatching(/^Install/) },
          ...{ answers: 2, helpful: 1, notHelpful: 1 },
        },
      ],
      searches: [{ query: 'zzyqx', times: 2 }],
    });
    const before = new Date(Date.now() - 35 * 86_400_000).toISOString().slice(0, 10);
    const old = await report(`?dateFrom=2026-01-01&dateTo=${before}`);
    expect(old).toEqual({
      questions: [expect.objectContaining({ asked: 1, askedBefore: 0 })],
      pages: [expect.objectContaining({ answers: 1, notHelpful: 0 })],
      searches: [],
    });
    expect((await read('?dateFrom=2026-11-02&dateTo=2026-11-01')).response.status).toBe(400);
    expect((await read('?dateFrom=0001-01-01')).response.status).toBe(400);
    for (const to of ['2026-11-02', '9999-12-31'])
      expect((await read(`?dateFrom=2026-11-02&dateTo=${to}`)).response.status).toBe(200);
  });

  it('is exported whole, without what a spreadsheet would run', async () => {
    const from = 'dateFrom=2020-01-01';
    const { response, text } = await read(`/export?${from}`);
    expect([
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
      response.headers.get('cache-control'),
    ]).toEqual([
      'text/csv; charset=utf-8',
      expect.stringMatching(/^attachment; filename="questions-2020-01-01-[\d-]+\.csv"$/),
      'no-store',
    ]);
    const [names, first, second] = text.split('\r\n');
    expect(names).toBe('id,group,asked at,question,answered,sources,helpful,tags,comment');
    expect(first).toMatch(/^q_\w+,q_\w+,[\d-]+T[^,]+,'=How do I install it with npm\?,yes,https/);
    expect(second).toMatch(/,no,,"'@port, ""8080"""$/);
    expect(await lines(`of=groups&${from}`)).toEqual([
      'group,question,asked,asked in the period before,answered,helpful,not helpful,state,resolved by',
      expect.stringMatching(/^q_\w+,How do I install it with npm\?,3,0,3,1,1,open,$/),
      expect.stringMatching(/^q_\w+,How do I launch the rocket\?,1,0,0,0,1,open,$/),
      '',
    ]);
    await assistant.pool.query(
      `insert into questions (id, project_id, question, answered, group_id)
       select 'q_more' || n, $1, 'More ' || n, false, (select min(id) from question_groups)
         from generate_series(1, 1500) n`,
      [assistant.project.id],
    );
    const all = await lines(from);
    expect([all.length, new Set(all).size]).toEqual([1 + 4 + 1500 + 1, 1 + 4 + 1500 + 1]);
  });

  it('notes at most 1,000 searches without a hit of a day', async () => {
    await assistant.pool.query(
      `insert into searches_without_hits (project_id, query)
       select $1, 'vain ' || n from generate_series(1, 1000) n`,
      [assistant.project.id],
    );
    expect((await search('qqqzz')).status).toBe(200);
    const { rows } = await assistant.pool.query(
      "select from searches_without_hits where query = 'qqqzz'",
    );
    expect(rows).toEqual([]);
    // One that is known is counted.
    await search('vain 7');
    const known = await assistant.pool.query<{ times: number }>(
      "select times from searches_without_hits where query = 'vain 7'",
    );
    expect(known.rows).toEqual([{ times: 2 }]);
  });
});
