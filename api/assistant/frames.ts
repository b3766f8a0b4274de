import type { AnswerEvent, Encoding } from './events.ts';

const WRITE_EVERY_MS = 20; // 2,000 streams of single tokens saturate a core; at 50 writes a second they do not
const KEEP_ALIVE_MS = 15_000; // under the 30 to 60 s after which proxies give up on a silent connection

/**
 * What goes on the wire: every event at once, except that text that follows a write within 20 ms waits for the rest
 * of them, and that a silent stream gets a keep-alive. Pulls its events one by one, so a reader that does not read
 * holds back the model as well.
 */
export async function* frames(events: AsyncGenerator<AnswerEvent>, encoding: Encoding): AsyncGenerator<string> {
  let next: Promise<IteratorResult<AnswerEvent>> | undefined;
  let held: { type: 'text'; id: string; text: string } | undefined;
  let wroteTextAt = -Infinity;
  try {
    for (;;) {
      next ??= events.next();
      const patience = held ? Math.max(0, wroteTextAt + WRITE_EVERY_MS - performance.now()) : KEEP_ALIVE_MS;
      const result = await within(next, patience);
      if (result === undefined && !held) {
        yield encoding.keepAlive;
        continue;
      }
      const event = result?.done ? undefined : result?.value;
      if (result) next = undefined;
      if (event?.type === 'text') {
        held = held ? { ...held, text: held.text + event.text } : event;
        if (performance.now() - wroteTextAt < WRITE_EVERY_MS) continue;
      }
      let frame = '';
      if (held) {
        frame = encoding.encode(held);
        held = undefined;
        wroteTextAt = performance.now();
      }
      if (event && event.type !== 'text') frame += encoding.encode(event);
      if (frame !== '') yield frame;
      if (result?.done) return;
    }
  } finally {
    await events.return(undefined);
  }
}

/** The promise's value, or undefined when it takes longer than `ms`. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(resolve => { timer = setTimeout(() => resolve(undefined), ms); });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
