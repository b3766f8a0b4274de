import { deleteOldQuestions, recordQuestion } from '../../../db/assistant/questions.ts';
import { type Queryable, transaction } from '../../../db/pool.ts';
import { createKey } from '../../../db/projects/keys.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { Script } from '../../support/scripted-model.ts';
import { dumpOf } from '../../support/services.ts';
import { until } from '../../support/until.ts';
import { question, startAssistant, type TestAssistant } from './harness.ts';

interface Body {
  [member: string]: unknown;
  threads?: { threadId: string }[];
  messages?: { text: string }[];
  nextCursor?: string | null;
}

describe('what is stored of a reader', () => {
  let assistant: TestAssistant;
  let admin = '';
  const errors: string[] = [];
  /** While it is set, answers wait for it. */
  let held: Promise<void> | undefined;
  beforeAll(async () => {
    const answer: Script = async ({ messages }) => {
      await held;
      return { text: `You said: ${JSON.stringify(messages.at(-1)?.content).slice(-60)}` };
    };
    const write = (line: string) => void errors.push(line);
    assistant = await startAssistant(answer, {}, undefined, createLogger('error', { write }));
    const { organizationId } = assistant.project;
    const made = await createKey(assistant.pool, { organizationId, kind: 'admin', name: 'staff' });
    admin = made.token;
  });
  afterAll(() => assistant.close());

  const call = async (method: string, path: string, key = admin) => {
    const response = await fetch(assistant.url + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const reader = (rest: string) => `/v1/readers/${assistant.project.id}${rest}`;
  const ask = (fp: string, text: string, threadId?: string) =>
    assistant.ask({ fp, messages: [question(text, `u-${text}`)], ...(threadId && { threadId }) });
  const own = (threadId: string, fp?: string) =>
    call(
      'GET',
      `/discovery/v1/assistant/acme/thread/${threadId}${fp ? `?fp=${fp}` : ''}`,
      assistant.key,
    );

  it('is read back by the reader who began the conversation, with sources and votes', async () => {
    const { threadId, chunks } = await ask('ada', 'How do I install it?');
    await ask('ada', 'And with Docker?', threadId);
    const messageId = String(chunks[0]!['messageId']);
    const vote = { threadId, messageId, fp: 'ada', helpful: false, comment: 'The port is wrong.' };
    expect((await assistant.post('/discovery/v1/feedback/acme', vote)).status).toBe(204);
    const { status, body } = await own(threadId, 'ada');
    expect([status, body]).toEqual([
      200,
      {
        ...{ threadId, createdAt: expect.stringMatching(/^\d{4}-.*Z$/), nextCursor: null },
        messages: [
          expect.objectContaining({ role: 'user', text: 'How do I install it?', vote: null }),
          expect.objectContaining({
            ...{ role: 'assistant', id: messageId, text: expect.stringContaining('You said') },
            vote: { helpful: false, tags: [], comment: 'The port is wrong.' },
          }),
          expect.objectContaining({ role: 'user', text: 'And with Docker?' }),
          expect.objectContaining({ role: 'assistant' }),
        ],
      },
    ]);
    expect((await own(threadId)).status).toBe(404);
    expect((await own(threadId, 'bob')).status).toBe(404);
    expect((await own('thread_none', 'ada')).status).toBe(404);
    const staff = await call('GET', reader(`/threads/${threadId}`));
    expect(staff).toEqual({ status: 200, body });
    expect((await call('GET', reader(`/threads/${threadId}`), assistant.key)).status).toBe(403);
  });

  it('is paged', async () => {
    const { threadId } = await ask('carol', 'How do I pause it?');
    await assistant.pool.query(
      `insert into thread_messages (thread_id, role, text)
       select $1, 'user', 'Again ' || n from generate_series(1, 250) n`,
      [threadId],
    );
    const texts: string[] = [];
    for (let cursor: string | null = '0'; cursor !== null;) {
      const { body } = await call('GET', reader(`/threads/${threadId}?cursor=${cursor}`));
      texts.push(...body.messages!.map(({ text }) => text));
      cursor = body.nextCursor!;
    }
    expect(texts).toHaveLength(252);
    expect(texts.at(-1)).toBe('Again 250');
    expect((await call('GET', reader(`/threads/${threadId}?cursor=x`))).status).toBe(400);
  });

  it('is listed by fp, and deleted with all that it left', async () => {
    const asked = ['zebrafish quantity', 'zebrafish quantity settings', 'walrusone plan'];
    const threads = [];
    for (const text of asked) threads.push((await ask('dora', text)).threadId);
    // Another reader's question is in the group that a deleted one began.
    await ask('eve', 'zebrafish quantity default');
    const onPage = { path: '/install', fp: 'dora', helpful: false, contact: 'dora@example.com' };
    expect((await assistant.post('/discovery/v1/feedback/acme', onPage)).status).toBe(204);
    const { body } = await call('GET', reader('?fp=dora'));
    expect(body.threads!.map(each => each.threadId)).toEqual(threads.toSorted());
    expect((await call('GET', reader('?fp=nobody'))).body).toEqual({
      threads: [],
      nextCursor: null,
    });
    expect((await call('DELETE', reader('?fp=anonymous'))).status).toBe(400);
    expect((await call('DELETE', reader('?fp=dora'), assistant.key)).status).toBe(403);
    expect(await call('DELETE', reader('?fp=dora'))).toEqual({
      status: 200,
      body: { threads: 3, questions: 3, feedback: 1 },
    });
    const dump = await dumpOf(assistant.pool);
    for (const planted of ['dora', 'walrus', 'zebrafish quantity settings', 'setting'])
      expect(dump).not.toContain(planted);
    const { rows } = await assistant.pool.query<{ asked: number; newest: string }>(
      `select g.asked, q.question as newest from question_groups g join questions q on q.id = g.newest_id
        where q.question like 'zebrafish%'`,
    );
    expect(rows).toEqual([{ asked: 1, newest: 'zebrafish quantity default' }]);
    expect((await call('DELETE', reader('?fp=dora'))).body).toEqual({
      ...{ threads: 0, questions: 0, feedback: 0 },
    });
  });

  /** Something waits for a lock. */
  const someoneWaits = () =>
    until('a statement waits for a lock', async () => {
      const { rows } = await assistant.pool.query(
        `select from pg_locks where not granted and pid in
           (select pid from pg_stat_activity where datname = current_database())`,
      );
      return rows.length > 0;
    });

  it.each(['before the deletion', 'while it waits', 'after it'])(
    'is deleted with an answer that ends %s',
    async when => {
      const name = `gus-${when.length}`;
      const { threadId } = await ask(name, 'okapi stripes');
      let release = () => {};
      held = new Promise(resolve => (release = resolve));
      const answered = ask(name, `okapi stripes ${name}`, threadId);
      await until('the second question is stored', async () => {
        const { rows } = await assistant.pool.query(
          'select from thread_messages where thread_id = $1',
          [threadId],
        );
        return rows.length === 3;
      });
      const finish = async () => {
        release();
        held = undefined;
        await answered;
      };
      const remove = () => call('DELETE', reader(`?fp=${name}`));
      if (when === 'before the deletion') await finish();
      const deleted = await transaction(assistant.pool, async tx => {
        if (when === 'after it') return remove();
        await tx.query('select from threads where id = $1 for key share', [threadId]);
        const removed = remove();
        await someoneWaits();
        if (when === 'while it waits') await finish();
        return { removed };
      });
      if ('removed' in deleted) await deleted.removed;
      if (when === 'after it') await finish();
      const dump = await dumpOf(assistant.pool);
      for (const planted of ['gus', 'okapi']) expect(dump).not.toContain(planted);
      expect((await ask(name, 'Again?', threadId)).status).toBe(404);
      expect(errors).toEqual([]);
    },
  );

  it('keeps a question that comes while its group loses the others', async () => {
    const { pool } = assistant;
    const { threadId } = await ask('hal', 'lemur tail rings');
    const age = () =>
      pool.query(
        "update questions set created_at = now() - interval '99 days' where question like 'lemur%'",
      );
    const again = (db: Queryable) =>
      recordQuestion(db, {
        ...{ projectId: assistant.project.id, threadId, answered: false },
        question: 'lemur tail rings',
      });
    const left = async () =>
      (
        await pool.query<{ asked: number }>(
          `select g.asked from questions q join question_groups g on g.id = q.group_id
            where question like 'lemur%'`,
        )
      ).rows;
    await age();
    let statements = 0;
    let goOn = () => {};
    const gate = new Promise<void>(resolve => (goOn = resolve));
    const query = async (text: string, values: unknown[]) => {
      if (++statements === 2) await gate;
      return pool.query(text, values);
    };
    const deleting = deleteOldQuestions({ query } as Queryable, 90, 1_000);
    await until('the questions are gone, and their group is not', () => statements === 2);
    await transaction(pool, async tx => {
      await again(tx);
      goOn();
      await someoneWaits();
    });
    expect([await deleting, await left()]).toEqual([1, [{ asked: 1 }]]);
    await age();
    const { asking } = await transaction(pool, async tx => {
      await deleteOldQuestions(tx, 90, 1_000);
      const waits = again(pool);
      await someoneWaits();
      return { asking: waits };
    });
    await asking;
    expect(await left()).toEqual([{ asked: 1 }]);
    await Promise.all(Array.from({ length: 20 }, () => again(pool)));
    expect(await left()).toEqual(Array.from({ length: 21 }, () => ({ asked: 21 })));
  });

  it('is deleted while another question makes a group of the words that are left', async () => {
    await ask('ida', 'Which valve fits the green reservoir?');
    await ask('kim', 'Which valve fits the green tank reservoir?');
    const { rows } = await assistant.pool.query(
      "select from question_groups where asked = 2 and words @> question_words('green reservoir')",
    );
    expect(rows).toHaveLength(1);
    const other = await assistant.pool.connect();
    await other.query('begin');
    await other.query(
      `insert into question_groups (id, project_id, words, asked, newest_id, newest_at, newest_answered)
       values ('q_same', $1, question_words('Which valve fits the green tank reservoir?'), 1,
               'q_newest', now(), false)`,
      [assistant.project.id],
    );
    await other.query(
      `insert into questions (id, project_id, question, answered, group_id)
       values ('q_newest', $1, 'Which valve fits the green tank reservoir?', false, 'q_same')`,
      [assistant.project.id],
    );
    const deleting = call('DELETE', reader('?fp=ida'));
    await until('it waits for the other', async () => {
      const waits = await assistant.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waits.rowCount! > 0;
    });
    await other.query('commit');
    other.release();
    expect(await deleting).toEqual({
      ...{ status: 200, body: { threads: 1, questions: 1, feedback: 0 } },
    });
    const groups = await assistant.pool.query<{ id: string; asked: number }>(
      "select id, asked from question_groups where words @> question_words('green reservoir')",
    );
    expect(groups.rows).toEqual([{ id: 'q_same', asked: 2 }]);
  });

  it('stays anonymous where it began so, also with a known reader', async () => {
    const { threadId } = await ask('anonymous', 'How do I install it?');
    expect((await ask('jon', 'And with Docker?', threadId)).status).toBe(200);
    expect((await own(threadId)).body.messages).toHaveLength(4);
    expect((await own(threadId, 'bob')).status).toBe(200);
    expect((await call('GET', reader('?fp=jon'))).body.threads).toEqual([]);
    expect((await call('DELETE', reader('?fp=jon'))).body).toMatchObject({ threads: 0 });
    const mine = await ask('jon', 'How do I pause it?');
    for (const fp of ['anonymous', 'bob'])
      expect((await ask(fp, 'And then?', mine.threadId)).status).toBe(404);
  });

  it('is not kept by browsers, and known by whole characters only', async () => {
    const { threadId } = await ask('ada', 'How do I install it?');
    for (const path of [threadId, 'thread_none']) {
      const response = await fetch(
        `${assistant.url}/discovery/v1/assistant/acme/thread/${path}?fp=ada`,
        { headers: { authorization: `Bearer ${assistant.key}` } },
      );
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    for (const fp of ['a\ud800', 'a\udfff', 'a\ufffd'])
      expect((await ask(fp, 'How do I install it?')).status).toBe(400);
    expect((await ask('a\u{1f600}', 'How do I install it?')).status).toBe(200);
  });

  it('is deleted by conversation, and joins the questions that are alike then', async () => {
    const { threadId } = await ask('anonymous', 'narwhal tusk length');
    await ask('fay', 'narwhal tusk length metres');
    await assistant.pool.query(
      `insert into question_groups (id, project_id, words, asked, newest_id, newest_at, newest_answered)
       values ('q_other', $1, question_words('narwhal tusk length metres'), 0, 'q_none', now(), false)`,
      [assistant.project.id],
    );
    expect((await call('DELETE', reader(`/threads/${threadId}`))).body).toMatchObject({
      threads: 1,
    });
    expect((await call('DELETE', reader(`/threads/${threadId}`))).status).toBe(404);
    const { rows } = await assistant.pool.query(
      `select group_id, asked from questions q join question_groups g on g.id = q.group_id
        where question like 'narwhal%'`,
    );
    expect(rows).toEqual([{ group_id: 'q_other', asked: 1 }]);
  });
});
