import { deleteOldThreads } from '../../../db/assistant/threads.ts';
import { startAssistant, type TestAssistant } from './harness.ts';

const FEEDBACK = '/discovery/v1/feedback/acme';

describe('a vote on an answer', () => {
  let assistant: TestAssistant;
  beforeAll(async () => {
    assistant = await startAssistant(() => ({ text: 'Run it.' }));
  });
  afterAll(() => assistant.close());

  const answered = async (fp = 'anonymous') => {
    const { threadId, chunks } = await assistant.ask({ fp });
    return { threadId, messageId: String(chunks[0]!['messageId']) };
  };
  const status = async (body: object) => (await assistant.post(FEEDBACK, body)).status;
  const votes = async () =>
    (await assistant.pool.query('select helpful, tags, comment from answer_votes'))
      .rows as object[];

  it('is stored once: a second one replaces it, and null withdraws it', async () => {
    const answer = await answered();
    const said = { tags: ['incorrect', 'other'], comment: '  The port is wrong. ' };
    expect(await status({ ...answer, helpful: false, ...said })).toBe(204);
    expect(await votes()).toEqual([
      { helpful: false, tags: ['incorrect', 'other'], comment: 'The port is wrong.' },
    ]);
    const voted = Array.from({ length: 20 }, () => status({ ...answer, helpful: true }));
    expect(new Set(await Promise.all(voted))).toEqual(new Set([204]));
    expect(await votes()).toEqual([{ helpful: true, tags: [], comment: null }]);
    expect(await status({ ...answer, comment: 'Later.' })).toBe(204);
    expect(await votes()).toEqual([{ helpful: true, tags: [], comment: 'Later.' }]);
    expect(await status({ ...answer, helpful: null })).toBe(204);
    expect(await votes()).toEqual([]);
    expect(await status({ ...answer, comment: 'Later.' })).toBe(400);
    expect(await votes()).toEqual([]);
  });

  it('is refused for another’s thread, another message, and a question', async () => {
    const answer = await answered('reader-1');
    const vote = { ...answer, helpful: true };
    expect(await status(vote)).toBe(404);
    expect(await status({ ...vote, fp: 'reader-2' })).toBe(404);
    expect(await status({ ...vote, fp: 'reader-1', messageId: 'u1' })).toBe(404);
    expect(await status({ ...vote, fp: 'reader-1', threadId: 'thread_none' })).toBe(404);
    expect(await votes()).toEqual([]);
    expect(await status({ ...vote, fp: 'reader-1' })).toBe(204);
    for (const wrong of [
      ...[{ helpful: 'yes' }, { tags: ['rude'] }, { comment: 'x'.repeat(1_001) }],
      ...[{ comment: 'a\0b' }, { messageId: '\0' }, { threadId: '\0' }, { fp: '\0' }],
    ])
      expect(await status({ ...vote, fp: 'reader-1', ...wrong })).toBe(400);
  });

  it('is deleted with an answer that another one replaces', async () => {
    const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Install?' }] }];
    const { threadId, chunks } = await assistant.ask({ messages });
    const vote = { threadId, messageId: String(chunks[0]!['messageId']), helpful: true };
    const before = (await votes()).length;
    expect(await status(vote)).toBe(204);
    expect(await votes()).toHaveLength(before + 1);
    expect((await assistant.ask({ threadId, messages })).threadId).toBe(threadId);
    expect(await votes()).toHaveLength(before);
    expect(await status(vote)).toBe(404);
  });

  it('is deleted with its thread, and then no longer possible', async () => {
    const answer = await answered();
    expect(await status({ ...answer, helpful: true })).toBe(204);
    await assistant.pool.query(`update threads set updated_at = now() - interval '100 days'`);
    await deleteOldThreads(assistant.pool, 90, 100);
    expect(await votes()).toEqual([]);
    expect(await status({ ...answer, helpful: true })).toBe(404);
  });

  it('may come from a page of an allowed origin only, and counts as a search does', async () => {
    const answer = { ...(await answered()), helpful: true };
    const { token } = await assistant.createKey({ allowedOrigins: ['https://docs.acme.test'] });
    const from = async (origin: string) =>
      assistant.post(FEEDBACK, answer, { key: token, headers: { origin } });
    expect((await from('https://other.test')).status).toBe(403);
    const allowed = await from('https://docs.acme.test');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://docs.acme.test');
    expect(allowed.headers.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+$/);
    const preflight = await fetch(assistant.url + FEEDBACK, { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
  });
});
