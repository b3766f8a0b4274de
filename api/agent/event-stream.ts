import type { StoredEvent } from '../../db/jobs/events.ts';
import type { TextDelta } from '../../shared/jobs/job.ts';

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no', // nginx would hold the stream back
};

/**
 * A job's progress as server-sent events. No `event:` field on stored ones, so that a browser's
 * `onmessage` gets them all; the type is in the data.
 */
export async function* eventStream(
  progress: AsyncIterable<StoredEvent | TextDelta | null>,
  write: (item: StoredEvent | TextDelta) => string = serverSentEvent,
): AsyncGenerator<string> {
  yield 'retry: 2000\n\n'; // also the first byte: headers leave with it
  for await (const item of progress) yield item ? write(item) : ': keep-alive\n\n';
}

/**
 * A passing delta has no id: a reader that comes back continues after the last stored event.
 */
export function serverSentEvent(item: { seq: number; event: object } | TextDelta): string {
  return 'seq' in item
    ? `id: ${item.seq}\ndata: ${JSON.stringify(item.event)}\n\n`
    : `event: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`;
}
