import { Chat } from '@ai-sdk/react';
import { Client, Connection } from '@temporalio/client';
import { DefaultChatTransport, type UIMessage } from 'ai';
import type { AddressInfo } from 'node:net';
import { buildApi } from '../../../api/app.ts';
import { deleteEndedAnswers } from '../../../db/assistant/running-answers.ts';
import { createKey } from '../../../db/projects/keys.ts';
import { readConfig } from '../../../shared/config.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { until } from '../../support/until.ts';
import { question, startAssistant, type TestAssistant } from './harness.ts';

const PATH = '/discovery/v2/assistant/acme/message';
const WORDS = Array.from({ length: 30 }, (_, i) => `word${i} `);
/** Of three seconds. */
const SLOW: ScriptedReply = { text: WORDS.join(''), dripMs: 100 };
const SILENT: ScriptedReply = { text: 'late', silentMs: 60_000 };

type DocsMessage = UIMessage<{ threadId?: string }>;

let reply: ScriptedReply = SLOW;
let assistant: TestAssistant;
/** Another process of the API: it shares the database, and nothing else. */
let other: { url: string; close(): Promise<void> };
beforeAll(async () => {
  assistant = await startAssistant(() => reply, { ASSISTANT_MAX_STREAMS_PER_KEY: '3' });
  other = await anotherApi();
});
afterAll(async () => {
  await other.close();
  await assistant.close();
});
beforeEach(async () => {
  reply = SLOW;
  await until('no answer is made', async () => (await running()) === 0);
  await assistant.pool.query('delete from running_answers');
});

it('the hook of a page that was loaded again reads the answer on, through another process', async () => {
  const chat = newChat(assistant.url, 'first');
  const asked = chat.sendMessage({ text: 'How do I install it?' });
  await until('some of it is there', () => textOf(chat).includes('word3'));
  const threadId = chat.lastMessage!.metadata!.threadId!;
  await until('it is stored', async () => (await running()) === 1);
  await chat.stop(); // closes the connection, as a page does that is left
  await asked;

  const again = newChat(other.url, threadId, chat.messages.slice(0, 1));
  await again.resumeStream();
  expect(again.status).toBe('ready');
  expect(again.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(textOf(again)).toBe(WORDS.join(''));
  expect(again.lastMessage!.metadata).toEqual({ threadId });
  expect(assistant.model.requests.at(-1)!.hungUpAt).toBeNull();

  const { messages } = await conversation(threadId);
  expect(messages.map(({ text }) => text)).toEqual(['How do I install it?', WORDS.join('').trim()]);
  expect(messages[1]!.id).toBe(again.lastMessage!.id);
  const ended = newChat(other.url, threadId, again.messages);
  await ended.resumeStream();
  expect([ended.status, ended.messages]).toEqual(['ready', again.messages]);
});

it('chat SDK 4 reads it on in its own format', async () => {
  const { threadId, leave } = await askAndLeave({}, '/discovery/v1/assistant/acme/message');
  const read = get(`/discovery/v1/assistant/acme/message?chatId=${threadId}`);
  leave();
  const lines = (await (await read).text()).trim().split('\n');
  const text = lines.filter(line => line.startsWith('0:')).map(line => JSON.parse(line.slice(2)));
  expect(text.join('')).toBe(WORDS.join(''));
  expect(lines.at(-1)).toMatch(/^d:.*"finishReason":"stop"/);
});

it('reads it on while the first reader is still there, and where the SDK adds to the query', async () => {
  const { threadId, text } = await askAndLeave();
  const read = await get(`${PATH}?finish=metadata/${threadId}/stream`);
  expect(read.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  const frames = await read.text();
  expect(frames).toMatch(/^data: \{"type":"start"/);
  expect(frames).toMatch(/data: \[DONE\]\n\n$/);
  expect(deltas(frames)).toBe(WORDS.join(''));
  expect(deltas(await text)).toBe(WORDS.join(''));
});

it('only with the key that asked, for the reader who asked, and while it is made', async () => {
  const { threadId, leave } = await askAndLeave({ fp: 'ada' });
  const stream = `${PATH}/${threadId}/stream`;
  const { token } = await assistant.createKey();
  for (const [path, key] of [
    [stream, assistant.key],
    [`${stream}?fp=bob`, assistant.key],
    [`${stream}?fp=ada`, token],
    [`${PATH}/${threadId.slice(0, -1)}/stream?fp=ada`, assistant.key],
  ] as const) {
    const answer = await get(path, key);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  }
  const read = await get(`${stream}?fp=ada`);
  expect(read.status).toBe(200);
  expect(read.headers.get('access-control-allow-origin')).toBe('*');
  leave();
  expect(deltas(await read.text())).toBe(WORDS.join(''));
  expect((await get(`${stream}?fp=ada`)).status).toBe(204);
});

it('takes one of the places of its key', async () => {
  reply = SILENT;
  const kept = await askAndLeave();
  kept.leave();
  const stream = `${PATH}/${kept.threadId}/stream`;
  const left = new AbortController();
  for (let i = 0; i < 2; i++)
    expect((await get(stream, assistant.key, left.signal)).status).toBe(200);
  const refused = await get(stream);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  left.abort();
  await lonely();
});

it('without a reader it ends after its time, and what there is of it is stored', async () => {
  reply = { text: 'one two three. '.repeat(40), dripMs: 200 };
  const { threadId, leave } = await askAndLeave();
  await until('a part is stored', async () => (await parts()).includes('one'));
  leave();
  await lonely();
  await until('the model is hung up on', () => assistant.model.requests.at(-1)!.hungUpAt !== null);
  await until('it is stored', async () => (await conversation(threadId)).messages.length === 2);
  expect((await conversation(threadId)).messages[1]!.text).toMatch(/^one two/);
  expect((await get(`${PATH}/${threadId}/stream`)).status).toBe(204);
});

it('a newer question takes its place', async () => {
  reply = SILENT;
  const { threadId, leave } = await askAndLeave();
  leave();
  const first = assistant.model.requests.at(-1)!;
  reply = { text: 'The newer one.' };
  const newer = await assistant.ask({
    threadId,
    messages: [question('And with Docker?', 'u2')],
  });
  expect(newer.text).toBe('The newer one.');
  await until('the model is hung up on', () => first.hungUpAt !== null);
  const { messages } = await conversation(threadId);
  expect(messages.map(({ text }) => text)).toEqual([
    ...['How do I install it?', 'And with Docker?', 'The newer one.'],
  ]);
});

it('a deletion of the reader’s data takes it along', async () => {
  reply = SLOW;
  const { leave } = await askAndLeave({ fp: 'eve' });
  await until('a part is stored', async () => (await parts()).includes('word'));
  leave();
  const { token } = await createKey(assistant.pool, {
    ...{ organizationId: assistant.project.organizationId, projectId: assistant.project.id },
    ...{ kind: 'admin', name: 'staff' },
  });
  const deleted = await fetch(`${assistant.url}/v1/readers/${assistant.project.id}?fp=eve`, {
    ...{ method: 'DELETE', headers: { authorization: `Bearer ${token}` } },
  });
  expect(deleted.status).toBe(200);
  expect([await running(), await parts()]).toEqual([0, '']);
  await until('the model is hung up on', () => assistant.model.requests.at(-1)!.hungUpAt !== null);
  const { rows } = await assistant.pool.query(
    `select from threads where fp = 'eve' union all select from questions where thread_id is null
     union all select from answer_parts`,
  );
  expect(rows).toEqual([]);
});

it('a process that ends stores what there is of it', async () => {
  const third = await anotherApi();
  const { threadId, leave } = await askAndLeave({}, PATH, third.url);
  await until('a part is stored', async () => (await parts()).includes('word'));
  const read = get(`${PATH}/${threadId}/stream`);
  leave();
  await until('it is read', async () => (await read).status === 200);
  await third.close();
  expect(deltas(await (await read).text())).toMatch(/^word0 /);
  expect((await conversation(threadId)).messages[1]!.text).toMatch(/^word0 /);
});

it('an answer whose process is gone is not waited for', async () => {
  reply = SILENT;
  const { threadId, leave } = await askAndLeave();
  const read = await get(`${PATH}/${threadId}/stream`);
  const lost = `update running_answers set written_at = now() - interval '16 seconds'`;
  const timer = setInterval(() => void assistant.pool.query(lost), 20);
  await expect(read.text()).rejects.toThrow();
  expect((await get(`${PATH}/${threadId}/stream`)).status).toBe(204);
  clearInterval(timer);
  leave();
  await lonely();
});

it('what ended an hour ago is deleted', async () => {
  const { threadId, text } = await askAndLeave();
  await text;
  await until('it has ended', async () => (await running()) === 0);
  expect(await deleteEndedAnswers(assistant.pool, 10)).toBe(0);
  await assistant.pool.query(
    `update running_answers set written_at = now() - interval '61 minutes' where thread_id = $1`,
    [threadId],
  );
  expect(await deleteEndedAnswers(assistant.pool, 10)).toBe(1);
  expect(await parts()).toBe('');
});

/** The state behind the hook, which draws what it says. */
function newChat(url: string, id: string, messages: DocsMessage[] = []): Chat<DocsMessage> {
  return new Chat<DocsMessage>({
    ...{ id, messages },
    transport: new DefaultChatTransport<DocsMessage>({
      api: `${url}${PATH}?finish=metadata`,
      headers: { Authorization: `Bearer ${assistant.key}` },
      body: () => ({ fp: 'anonymous', resumable: true }),
    }),
    onError: error => {
      throw error;
    },
  });
}

function textOf(chat: Chat<DocsMessage>): string {
  return (chat.lastMessage?.parts ?? [])
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('');
}

/** Asks, and returns once others can read the answer. */
async function askAndLeave(body: object = {}, path = PATH, url = assistant.url) {
  const left = new AbortController();
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${assistant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ fp: 'anonymous', resumable: true, messages: [question('How do I install it?')] },
      ...body,
    }),
    signal: left.signal,
  });
  const threadId = response.headers.get('x-thread-id')!;
  const text = response.text();
  text.catch(() => {}); // the reader leaves
  await until('it is stored', async () => (await running()) === 1);
  return { threadId, text, leave: () => left.abort() };
}

function get(path: string, key = assistant.key, signal?: AbortSignal): Promise<Response> {
  return fetch(other.url + path, {
    headers: { authorization: `Bearer ${key}` },
    ...(signal && { signal }),
  });
}

function deltas(frames: string): string {
  return [...frames.matchAll(/^data: (\{"type":"text-delta".*\})$/gm)]
    .map(([, json]) => (JSON.parse(json!) as { delta: string }).delta)
    .join('');
}

async function running(): Promise<number> {
  const { rowCount } = await assistant.pool.query('select from running_answers where not is_ended');
  return rowCount!;
}

async function parts(): Promise<string> {
  const { rows } = await assistant.pool.query<{ events: { text?: string }[] }>(
    'select events from answer_parts order by n',
  );
  return rows.flatMap(({ events }) => events.map(({ text }) => text ?? '')).join('');
}

/** Nobody has read for longer than an answer waits; returns when it has ended. */
async function lonely(): Promise<void> {
  await until('it has ended', async () => {
    await assistant.pool.query(
      `update running_answers set read_at = now() - interval '31 seconds'`,
    );
    return (await running()) === 0;
  });
}

async function conversation(
  threadId: string,
): Promise<{ messages: { id: string; text: string }[] }> {
  const read = await get(`/discovery/v1/assistant/acme/thread/${threadId}`);
  return (await read.json()) as { messages: { id: string; text: string }[] };
}

async function anotherApi() {
  const config = readConfig({
    ...{ DATABASE_URL: assistant.databaseUrl, ANTHROPIC_BASE_URL: assistant.model.url },
    ...{ ANTHROPIC_API_KEY: 'test', MODEL_FEATURES: 'all', ASSISTANT_MAX_STREAMS_PER_KEY: '2' },
  });
  const temporal = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
  const app = await buildApi({ config, pool: assistant.pool, temporal });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}
