import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { createLogger } from '../../../shared/logger.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { until } from '../../support/until.ts';
import { lockTable, question, startAssistant, type TestAssistant } from './harness.ts';

const PATH = '/discovery/v2/assistant/acme/message';
const ASK = { fp: 'anonymous', messages: [question('How do I install it?')] };
const DEBUG = 20;

interface Line {
  level: number;
  err?: { code?: string };
}

const lines: Line[] = [];
let reply: ScriptedReply = { text: 'ok' };
let assistant: TestAssistant;
beforeAll(async () => {
  const logger = createLogger('debug', {
    write: line => void lines.push(JSON.parse(line) as Line),
  });
  // Prices, so that what a key has cost is read from the ledger.
  assistant = await startAssistant(
    () => reply,
    {
      ASSISTANT_MAX_STREAMS_PER_KEY: '1',
      MODEL_PRICES: '{"claude-sonnet-5-5":{"input":1,"output":1}}',
    },
    undefined,
    logger,
  );
});
afterAll(() => assistant.close());

it.each([
  ['ledger', 'model_calls'],
  ['thread', 'threads'],
  ['count', 'limit_counts'],
])(
  'a reader who leaves while the %s is read keeps no place, and is nobody’s fault',
  async (_name, table) => {
    const { threadId } = await assistant.ask();
    lines.length = 0;
    const unlock = await lockTable(assistant.pool, table);
    try {
      const closed = nextClose();
      const left = new AbortController();
      const asked = assistant.post(PATH, { ...ASK, threadId }, { signal: left.signal });
      await until('it waits', () => waitsFor(table));
      left.abort();
      await expect(asked).rejects.toThrow();
      await closed;
    } finally {
      await unlock();
    }
    await until('it is noted', () => lines.some(line => line.err));
    expect(lines.filter(line => line.err)).toMatchObject([
      { level: DEBUG, err: { code: 'ERR_STREAM_PREMATURE_CLOSE' } },
    ]);
    await until('the place is free', () => answers(assistant.key));
  },
);

it('a reader who leaves while a second question waits on the same connection keeps neither place nor model', async () => {
  const { token } = await assistant.createKey();
  const before = assistant.model.requests.length;
  reply = { text: 'late', silentMs: 30_000 };
  const body = JSON.stringify(ASK);
  const socket = connect(Number(new URL(assistant.url).port), '127.0.0.1');
  for (const key of [assistant.key, token]) {
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
  await until('both are with the model', () => assistant.model.requests.length === before + 2);
  socket.destroy();
  await until('the model is hung up on', () =>
    assistant.model.requests.slice(before).every(request => request.hungUpAt !== null),
  );
  reply = { text: 'ok' };
  for (const key of [assistant.key, token])
    await expect(until('the place is free', () => answers(key))).resolves.toBeUndefined();
});

it('a reader who leaves over MCP before the first progress leaves no open call in the ledger', async () => {
  reply = { text: 'ok' };
  const params = { name: 'ask', arguments: { question: 'How?' }, _meta: { progressToken: 1 } };
  const unlock = await lockTable(assistant.pool, 'model_calls');
  try {
    const closed = nextClose();
    const left = new AbortController();
    const asked = assistant.post(
      '/discovery/v1/mcp/acme',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { signal: left.signal },
    );
    await until('it waits', () => waitsFor('model_calls'));
    left.abort();
    await expect(asked).rejects.toThrow();
    await closed;
  } finally {
    await unlock();
  }
  await until('the place is free', () => answers(assistant.key));
  await until('no call is open', async () => {
    const { rowCount } = await assistant.pool.query(
      'select from model_calls where settled_at is null',
    );
    return rowCount === 0;
  });
});

/** Of the response to the next request. */
function nextClose(): Promise<unknown> {
  return new Promise(resolve =>
    assistant.app.server.once('request', (_request, response: ServerResponse) =>
      response.once('close', resolve),
    ),
  );
}

/** Whether the one place of a key is free. */
async function answers(key: string): Promise<boolean> {
  const response = await assistant.post(PATH, ASK, { key });
  await response.text();
  return response.status === 200;
}

async function waitsFor(table: string): Promise<boolean> {
  const { rowCount } = await assistant.pool.query(
    'select from pg_locks where relation = $1::regclass and not granted',
    [table],
  );
  return rowCount! > 0;
}
