import { deleteOldPageFeedback } from '../../../db/assistant/page-feedback.ts';
import { createKey } from '../../../db/projects/keys.ts';
import { startAssistant, type TestAssistant } from './harness.ts';

interface Body {
  feedback: { id: string; path: string; status: string }[];
  nextCursor: string | null;
  hasMore: boolean;
}

describe('feedback on a page', () => {
  let assistant: TestAssistant;
  let admin = '';
  beforeAll(async () => {
    assistant = await startAssistant(() => ({ text: 'ok' }));
    const { organizationId } = assistant.project;
    const made = await createKey(assistant.pool, { organizationId, kind: 'admin', name: 'staff' });
    admin = made.token;
  });
  afterAll(() => assistant.close());
  beforeEach(() => assistant.pool.query('delete from page_feedback'));

  const give = async (body: object) =>
    (await assistant.post('/discovery/v1/feedback/acme', body)).status;
  const staff = async (rest = '', method = 'GET', body?: object) => {
    const response = await fetch(
      `${assistant.url}/v1/analytics/${assistant.project.id}/feedback${rest}`,
      {
        method,
        headers: {
          authorization: `Bearer ${admin}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
    );
    const text = await response.text();
    return { status: response.status, body: (text && JSON.parse(text)) as Body };
  };
  const listed = async (query = '') => (await staff(query)).body.feedback;

  it('is one per reader and page, which the newest replaces and null withdraws', async () => {
    const page = { path: '/install', fp: 'ada' };
    expect(await give({ ...page, helpful: false, comment: ' The port. ' })).toBe(204);
    const [first] = await listed();
    expect(first).toEqual({
      ...{ id: expect.stringMatching(/^fb_/), path: '/install', helpful: false },
      ...{ comment: 'The port.', contact: null, source: 'contextual', status: 'pending' },
      createdAt: expect.stringMatching(/Z$/),
    });
    expect((await staff(`/${first!.id}`, 'PATCH', { status: 'resolved' })).status).toBe(204);
    expect(await listed()).toEqual([{ ...first, status: 'resolved' }]);
    await Promise.all(Array.from({ length: 20 }, () => give({ ...page, helpful: true })));
    expect(await listed()).toEqual([
      { ...first, helpful: true, comment: null, source: 'thumbs_only', status: 'pending' },
    ]);
    expect(await give({ ...page, helpful: null })).toBe(204);
    expect(await listed()).toEqual([]);
  });

  it('is kept apart for readers who are not known, and counted by page', async () => {
    for (const helpful of [true, true, false]) await give({ path: '/install', helpful });
    await give({ path: '/install', comment: 'npm fails.', source: 'code_snippet' });
    await give({ path: 'https://docs.acme.test/schedule/', helpful: true });
    expect((await staff('/by-page')).body.feedback).toEqual([
      { path: '/install', thumbsUp: 2, thumbsDown: 1, code: 1, total: 4 },
      { path: '/schedule', thumbsUp: 1, thumbsDown: 0, code: 0, total: 1 },
    ]);
  });

  it('is listed in pages and by day', async () => {
    for (let i = 0; i < 5; i++) await give({ path: '/install', comment: `Number ${i}` });
    const [newest] = await listed();
    await assistant.pool.query(
      "update page_feedback set created_at = '2026-11-03T12:00:00Z' where id = $1",
      [newest!.id],
    );
    expect(await listed('?dateFrom=2026-11-03&dateTo=2026-11-03')).toHaveLength(1);
    expect(await listed('?dateTo=2026-11-03T11:00:00Z')).toEqual([]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await staff(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.feedback.map(({ id }) => id));
      expect(body.hasMore).toBe(body.nextCursor !== null);
      cursor = body.nextCursor;
    }
    expect(new Set(seen).size).toBe(5);
    expect((await staff('?dateFrom=yesterday')).status).toBe(400);
    for (const cursor of ['fb_1', 'x', `job_${'0'.repeat(26)}`, `fb_${'!'.repeat(26)}`])
      expect((await staff(`?cursor=${cursor}`)).status).toBe(400);
  });

  it('is listed on from one that was withdrawn', async () => {
    for (const path of ['/install', '/schedule', '/index'])
      expect(await give({ path, fp: 'ada', helpful: true })).toBe(204);
    const { body } = await staff('?limit=2');
    const [, last] = body.feedback;
    expect(await give({ path: last!.path, fp: 'ada', helpful: null })).toBe(204);
    expect(await listed(`?cursor=${body.nextCursor}`)).toEqual([
      expect.objectContaining({ path: '/install' }),
    ]);
  });

  it('is refused for no page, for nothing said, and for both a page and an answer', async () => {
    expect(await give({ path: '/nowhere', helpful: true })).toBe(404);
    expect(await give({ path: '/install' })).toBe(400);
    expect(await give({ path: '/install', helpful: true, threadId: 't', messageId: 'm' })).toBe(
      400,
    );
    expect(await give({ path: '/install', helpful: true, tags: ['other'] })).toBe(400);
    expect(await give({ path: '/install', helpful: true, source: 'dream' })).toBe(400);
    expect(await give({ helpful: true })).toBe(400);
    expect((await staff('/fb_none', 'PATCH', { status: 'resolved' })).status).toBe(404);
    expect(await listed()).toEqual([]);
  });

  it('is deleted with the conversations of its time', async () => {
    await give({ path: '/install', helpful: true });
    await assistant.pool.query("update page_feedback set created_at = now() - interval '91 days'");
    expect(await deleteOldPageFeedback(assistant.pool, 90, 10)).toBe(1);
  });
});
