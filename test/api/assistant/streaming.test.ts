import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { until } from '../../support/until.ts';
import { lockTable, question, read, startAssistant, type TestAssistant } from './harness.ts';

const ASK = { fp: 'anonymous', messages: [question('How do I install it?')] };

describe('a stream', () => {
  let assistant: TestAssistant;
  let reply: ScriptedReply = { text: 'ok' };
  beforeAll(async () => {
    assistant = await startAssistant(() => reply, {
      MODEL_PRICES: '{"claude-sonnet-5-5":{"input":1,"output":1}}',
    });
  });
  afterAll(() => assistant.close());
  const path = () => `/discovery/v2/assistant/${assistant.project.domain}/message`;
  const requests = () => assistant.model.requests;

  it('begins before the model is called', async () => {
    reply = { text: 'late' };
    const before = requests().length;
    const unlock = await lockTable(assistant.pool, 'threads'); // the question is kept before the model is asked
    let reader: ReadableStreamDefaultReader<string>;
    try {
      const response = await assistant.post(path(), ASK, { signal: AbortSignal.timeout(20_000) });
      reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader.read()).value).toMatch(/^data: \{"type":"start"/);
      expect(requests()).toHaveLength(before);
    } finally {
      await unlock();
    }
    let raw = '';
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      raw += chunk.value;
    expect(raw).toContain('late');
  });

  it('ends the model call when the reader leaves, keeps what was said, and gives its place back', async () => {
    reply = { text: 'word '.repeat(50), silentMs: 60_000 };
    const before = requests().length;
    const left = new AbortController();
    const response = await assistant.post(path(), ASK, { signal: left.signal });
    await response.body!.getReader().read();
    await until('the model is asked', () => requests().length > before);
    left.abort();
    await until('the model is hung up on', () => requests().at(-1)!.hungUpAt !== null);
    expect(requests().at(-1)!.answeredAt).toBeNull();
    await until(
      'the call is settled',
      async () =>
        (
          await assistant.pool.query(
            `select from model_calls where outcome = 'cut' and settled_at is not null`,
          )
        ).rowCount === 1,
    );
    const { rows } = await assistant.pool.query(
      'select role from thread_messages where thread_id = $1',
      [response.headers.get('x-thread-id')],
    );
    expect(rows).toEqual([{ role: 'user' }]);
  });

  it.each<[string, ScriptedReply, RegExp, string]>([
    [
      'overloaded',
      { status: 529, errorType: 'overloaded_error', message: 'internal detail' },
      /busy just now/,
      'overloaded_error',
    ],
    [
      'limited',
      { status: 429, errorType: 'rate_limit_error' },
      /busy just now/,
      'rate_limit_error',
    ],
    [
      'refused',
      { status: 401, errorType: 'authentication_error', message: 'invalid x-api-key' },
      /could not finish/,
      'authentication_error',
    ],
    ['away', { status: 0 }, /could not finish/, 'connection_error'],
    [
      'cut in the middle',
      { text: 'one two three four five six', cutAfterEvents: 6 },
      /could not finish/,
      'cut',
    ],
    [
      'failing in the middle',
      {
        text: 'one two three four',
        errorEventMidStream: { afterEvents: 5, type: 'overloaded_error' },
      },
      /busy just now/,
      'overloaded_error',
    ],
    ['declining', { text: '', stopReason: 'refusal' }, /declined/, 'ok'],
    ['saying nothing', {}, /could not finish/, 'ok'],
  ])(
    'of a model that is %s ends properly, with one plain sentence',
    async (_name, fault, sentence, outcome) => {
      reply = fault;
      const answer = await read(await assistant.post(path(), ASK));
      const types = answer.chunks.map(chunk => chunk.type);
      expect(types.slice(-2)).toEqual(['error', 'finish']);
      expect(types.filter(type => type === 'text-end')).toHaveLength(
        types.includes('text-start') ? 1 : 0,
      );
      expect(types.filter(type => type === 'finish-step')).toHaveLength(
        types.filter(type => type === 'start-step').length,
      );
      expect(answer.chunks.at(-2)!['errorText']).toMatch(sentence);
      expect(answer.raw.endsWith('data: [DONE]\n\n')).toBe(true);
      expect(answer.raw).not.toMatch(/internal detail|x-api-key|Error:/);
      const { rows } = await assistant.pool.query(
        'select outcome from model_calls order by id desc limit 1',
      );
      expect(rows).toEqual([{ outcome }]);
    },
  );

  it('is refused by a limit that is used up, also where no place is free', async () => {
    const small = await startAssistant([{ text: 'a', silentMs: 10_000 }], {
      ASSISTANT_MAX_STREAMS_PER_KEY: '1',
    });
    const left = new AbortController();
    try {
      const { token, id } = await small.createKey({ monthlyLimit: 1 });
      await small.post(`/discovery/v2/assistant/acme/message`, ASK, {
        key: token,
        signal: left.signal,
      });
      const second = await small.post(`/discovery/v2/assistant/acme/message`, ASK, { key: token });
      expect(second.status).toBe(429);
      expect(second.headers.get('ratelimit')).toMatch(
        /^"assistant-key";r=0;t=\d+, "address";r=9999;t=\d+$/,
      );
      const { rows } = await small.pool.query(
        `select scope, n from limit_counts where id in ($1, '') or scope = 'address'`,
        [id],
      );
      expect(rows).toEqual(
        expect.arrayContaining([
          { scope: 'key', n: 1 },
          { scope: 'address', n: 1 },
        ]),
      );
      expect(rows).toHaveLength(2);
    } finally {
      left.abort();
      await small.close();
    }
  });

  it.each([
    ['a key', 'ASSISTANT_MAX_STREAMS_PER_KEY', 200],
    ['the process', 'ASSISTANT_MAX_STREAMS', 503],
  ])('is one of as many as %s takes', async (_name, setting, toAnother) => {
    let answerFirst = (_reply: ScriptedReply) => {};
    const first = new Promise<ScriptedReply>(resolve => {
      answerFirst = resolve;
    });
    const small = await startAssistant((_request, index) => (index === 0 ? first : { text: 'b' }), {
      [setting]: '1',
    });
    try {
      const open = await small.post(`/discovery/v2/assistant/acme/message`, ASK);
      await until('the model is asked', () => small.model.requests.length === 1);
      const second = await small.post(`/discovery/v2/assistant/acme/message`, ASK);
      expect(second.status).toBe(503);
      expect(second.headers.get('retry-after')).toBe('2');
      const { token } = await small.createKey();
      expect((await small.ask({}, { key: token })).status).toBe(toAnother);
      answerFirst({ text: 'a' });
      expect(await open.text()).toContain('"delta":"a"');
      expect((await small.ask()).text).toContain('b');
      const { rows } = await small.pool.query(
        `select n from limit_counts where scope = 'key' and id = $1`,
        [small.keyId],
      );
      expect(rows).toEqual([{ n: 2 }]); // the refused one burned nothing
    } finally {
      await small.close();
    }
  });
});

describe('a reader who does not read', () => {
  it('holds the model back', async () => {
    const model = await startTalker();
    const assistant = await startAssistant([], { ANTHROPIC_BASE_URL: model.url });
    const body = JSON.stringify(ASK);
    const socket = connect(Number(new URL(assistant.url).port), '127.0.0.1');
    try {
      socket.pause();
      socket.write(
        `POST /discovery/v2/assistant/acme/message HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${assistant.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      let sent = -1;
      await until('nothing more is sent', async () => {
        const before = sent;
        await sleep(500);
        sent = model.sent();
        return sent > 0 && sent === before;
      });
      expect(sent).toBeLessThan(model.total / 2); // the sockets' buffers, and no more
    } finally {
      socket.destroy();
      await assistant.close();
      model.close();
    }
  }, 30_000);
});

/** A model that has 100 MB to say, and says them only as fast as it is read. */
async function startTalker() {
  const total = 100_000_000;
  let sent = 0;
  const delta = `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(50_000) } })}\n\n`;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
    );
    response.write(
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    );
    const talk = () => {
      while (sent < total) {
        sent += delta.length;
        if (!response.write(delta)) return void response.once('drain', talk);
      }
    };
    talk();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    total,
    sent: () => sent,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
