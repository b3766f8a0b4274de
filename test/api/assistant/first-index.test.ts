import { startAssistant, type TestAssistant } from './harness.ts';

let assistant: TestAssistant;
beforeAll(async () => {
  assistant = await startAssistant([{ text: 'I do not know.' }]);
});
afterAll(() => assistant.close());

describe('while a site is indexed for the first time', () => {
  beforeAll(async () => {
    await assistant.pool.query('update search_indexes set complete = false');
    await assistant.pool.query(
      `insert into index_runs (project_id, pages_read, pages_total)
       select project_id, pages, 400 from search_indexes`,
    );
  });

  it('search gives what is there of it, says how much that is, and never an empty answer', async () => {
    const { domain } = assistant.project;
    const { rows } = await assistant.pool.query<{ pages: number }>(
      'select pages from search_indexes',
    );
    const found = await assistant.post(`/discovery/v1/search/${domain}`, { query: 'install' });
    expect([found.status, found.headers.get('x-pages-read')]).toEqual([
      200,
      `${rows[0]?.pages}/400`,
    ]);
    expect(await found.json()).not.toEqual([]);
    const none = await assistant.post(`/discovery/v1/search/${domain}`, { query: 'xylophone' });
    expect([none.status, none.headers.get('retry-after')]).toEqual([503, '10']);
    const page = await assistant.post(`/discovery/v1/page/${domain}`, { path: '/nowhere' });
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '10']);
  });

  it('the assistant answers from it, says so, and records no gap', async () => {
    const answer = await assistant.ask('How do I install it?');
    expect(answer.text).toMatch(/still being read for the first time \(\d+ of 400 pages so far\)/);
    const { rows } = await assistant.pool.query('select answered from questions');
    expect(rows.filter(row => !row.answered)).toEqual([]);
  });
});

describe('before a site was indexed once', () => {
  beforeAll(async () => {
    // As between a project's creation and the first pages of its index.
    await assistant.pool.query('delete from search_pages');
    await assistant.pool.query('delete from search_indexes');
    await assistant.pool.query('delete from questions');
    assistant.model.requests.length = 0;
  });

  it('search and page say to try again', async () => {
    for (const [route, body] of [
      ['/search', { query: 'install' }],
      ['/page', { path: '/install' }],
    ] as const) {
      const { domain } = assistant.project;
      const path = `/discovery/v1${route}/${domain}`;
      const answer = await assistant.post(path, body);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
      expect(await answer.json()).toMatchObject({ detail: 'The docs are still being indexed.' });
    }
  });

  it('the assistant says so in a whole stream, asks no model and records no question', async () => {
    const answer = await assistant.ask('How do I install it?');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('still being read');
    expect(answer.chunks.at(-1)?.type).toBe('finish');
    expect(assistant.model.requests).toEqual([]);
    const { rows } = await assistant.pool.query('select question from questions');
    expect(rows).toEqual([]);
  });
});
