import { DocentError } from './docent-error.ts';

export interface ServerEvent {
  id: string | undefined;
  data: string;
}

/** Docent sends a comment every 15 seconds. */
const MAX_SILENCE_MS = 60_000;

/**
 * Server-sent events as they arrive. Throws `DocentError`, `interrupted`, when the stream is cut, or
 * silent for a minute.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const part = await inTime(reader?.read());
      if (!part || part.done) return;
      const blocks = (rest + decoder.decode(part.value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new DocentError('The stream was cut off.', { code: 'interrupted', cause: error });
  } finally {
    // Also ends the connection when the caller leaves its loop.
    reader?.cancel().catch(() => {});
  }
}

function eventOf(block: string): ServerEvent | undefined {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [field, ...parts] = line.split(':');
    const value = parts.join(':').replace(/^ /, '');
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
  return data.length > 0 ? { id, data: data.join('\n') } : undefined;
}

async function inTime<T>(wanted: Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Nothing arrived.')), MAX_SILENCE_MS);
  });
  return await Promise.race([wanted, silence]).finally(() => clearTimeout(timer));
}
