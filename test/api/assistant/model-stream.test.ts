import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { emptyTurn, streamModel } from '../../../api/assistant/model/model-stream.ts';
import { httpFetch } from '../../../shared/models/http-fetch.ts';
import { CutStreamError, SilentStreamError } from '../../../shared/models/stream-message.ts';

const events = (...all: { type: string; [member: string]: unknown }[]) =>
  all.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const textBlock = (index: number, text: string) =>
  events(
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index },
  );

let server: Server;
let respond: (response: ServerResponse) => void;
let client: Anthropic;
beforeAll(async () => {
  server = createServer((_request, response) => respond(response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  client = new Anthropic({
    apiKey: 'x',
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    maxRetries: 0,
    fetch: httpFetch,
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const REQUEST = { model: 'm', max_tokens: 1, messages: [] };
const bounds = (idleMs = 10_000, firstMs = 10_000) => ({
  signal: new AbortController().signal,
  patience: { firstMs, idleMs },
});
const nobody = { text: () => undefined, citation: () => undefined };

it('reads no further while the reader is behind, whatever follows the text in the same piece', async () => {
  let more = () => {};
  respond = response => {
    response.write(textBlock(0, 'one'));
    more = () => response.end(textBlock(1, 'two') + events({ type: 'message_stop' }));
  };
  const heard: string[] = [];
  let catchUp = () => {};
  const behind = new Promise<void>(resolve => {
    catchUp = resolve;
  });
  const turn = emptyTurn();
  const read = streamModel(
    client,
    REQUEST,
    turn,
    {
      text: text => {
        heard.push(text);
        if (text === 'one') more();
        return text === 'one' ? behind : undefined;
      },
      citation: () => undefined,
    },
    bounds(),
  );
  await Promise.race([read, sleep(300)]); // long enough for what was sent to be here
  expect(heard).toEqual(['one']);
  catchUp();
  await read;
  expect(heard).toEqual(['one', 'two']);
  expect(turn.content).toEqual([
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ]);
});

it('is over with the message, whatever a gateway adds and however long it keeps the response open', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  respond = response => {
    closed = once(response, 'close');
    response.write(`${textBlock(0, 'one')}${events({ type: 'message_stop' })}data: [DONE]\n\n`);
    response.write('data: junk\n\n');
  };
  const turn = emptyTurn();
  await streamModel(client, REQUEST, turn, nobody, bounds());
  expect(turn.content).toEqual([{ type: 'text', text: 'one' }]);
  await closed;
});

it('that ends before its message does is cut', async () => {
  respond = response => response.end(textBlock(0, 'one'));
  await expect(streamModel(client, REQUEST, emptyTurn(), nobody, bounds())).rejects.toThrow(
    CutStreamError,
  );
});

it('that falls silent is cut, but not while its reader is behind', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  respond = response => {
    closed = once(response, 'close');
    response.write(textBlock(0, 'one'));
  };
  const asked = Date.now();
  const slow = { ...nobody, text: () => sleep(600) };
  await expect(streamModel(client, REQUEST, emptyTurn(), slow, bounds(200))).rejects.toThrow(
    SilentStreamError,
  );
  expect(Date.now() - asked).toBeGreaterThan(600);
  await closed;
});

it('may wait longer for its first byte than between two pieces', async () => {
  const begin = (response: ServerResponse) => response.writeHead(200).flushHeaders();
  respond = response => {
    begin(response);
    setTimeout(() => response.end(textBlock(0, 'one') + events({ type: 'message_stop' })), 400);
  };
  const turn = emptyTurn();
  await streamModel(client, REQUEST, turn, nobody, bounds(100));
  expect(turn.content).toEqual([{ type: 'text', text: 'one' }]);
  respond = begin;
  await expect(
    streamModel(client, REQUEST, emptyTurn(), nobody, bounds(10_000, 200)),
  ).rejects.toThrow(SilentStreamError);
});
