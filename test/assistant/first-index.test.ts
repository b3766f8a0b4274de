import { startAssistant, type TestAssistant } from './harness.ts';

let assistant: TestAssistant;
beforeAll(async () => {
  assistant = await startAssistant([]);
  // As between a project's creation and the end of its first indexing.
  await assistant.pool.query('delete from search_pages');
  await assistant.pool.query('delete from search_indexes');
});
afterAll(() => assistant.close());

describe('before a site was indexed once', () => {
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
