import type { StoredEvent } from '../../shared/db/events.ts';

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no', // nginx would hold the stream back
};

/** A job's progress as server-sent events. No `event:` field, so that a browser's `onmessage` gets them all; the type is in the data. */
export async function* eventStream(progress: AsyncIterable<StoredEvent | null>): AsyncGenerator<string> {
  yield 'retry: 2000\n\n'; // also the first byte: headers leave with it
  for await (const stored of progress) yield stored ? serverSentEvent(stored) : ': keep-alive\n\n';
}

export function serverSentEvent({ seq, event }: StoredEvent): string {
  return `id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
