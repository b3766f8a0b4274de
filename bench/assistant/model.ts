// A model of known speed, in a process of its own: begins after `wait` ms, then says a word every
// `every` ms, `words` in all. Reports when a caller hung up, in epoch milliseconds.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Speed {
  wait: number;
  every: number;
  words: number;
}
const speed = JSON.parse(process.argv[2]!) as Speed;

const frame = (event: { type: string }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const usage = { input_tokens: 2_000, output_tokens: 1 };
const BEGIN =
  frame({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'bench',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  } as { type: string }) +
  frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as {
    type: string;
  });
const WORD = frame({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'documentation ' },
} as { type: string });
const END =
  frame({ type: 'content_block_stop', index: 0 } as { type: string }) +
  frame({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: speed.words },
  } as { type: string }) +
  frame({ type: 'message_stop' });

const server = createServer((request, response) => {
  request.resume();
  response.once('close', () => {
    if (!response.writableFinished) process.send!(performance.timeOrigin + performance.now());
  });
  void speak(response);
});

async function speak(response: ServerResponse): Promise<void> {
  await sleep(speed.wait);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(BEGIN);
  for (let i = 0; i < speed.words && !response.destroyed; i++) {
    response.write(WORD);
    await sleep(speed.every);
  }
  response.end(END);
}
server.listen(0, '127.0.0.1', () =>
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('disconnect', () => process.exit());
