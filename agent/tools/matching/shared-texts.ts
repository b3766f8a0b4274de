import { isBinary } from '../text.ts';
import { MAX_FILE_BYTES } from '../../policy/violation.ts';

/** Where a text is, as UTF-8, in memory that all threads of this process see. */
export interface SharedText {
  memory: SharedArrayBuffer;
  start: number;
  length: number;
}

/** The contents side by side in one memory; null for one that is not text, or over 1 MiB. */
export function shareTexts(contents: readonly (Buffer | undefined)[]): (SharedText | null)[] {
  const texts = contents.map(content =>
    content && content.length <= MAX_FILE_BYTES && !isBinary(content) ? content : undefined,
  );
  const total = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const memory = new SharedArrayBuffer(total);
  const bytes = Buffer.from(memory);
  let start = 0;
  return texts.map(text => {
    if (!text) return null;
    const place = { memory, start, length: text.length };
    text.copy(bytes, start);
    start += text.length;
    return place;
  });
}

export function readShared({ memory, start, length }: SharedText): string {
  return Buffer.from(memory, start, length).toString('utf8');
}

/**
 * Texts by blob id, up to so many bytes in all. What was read together goes together, the least
 * recently used first.
 */
export class SharedTexts {
  readonly #most: number;
  readonly #texts = new Map<string, { text: SharedText | null; portion: Portion }>();
  readonly #portions = new Set<Portion>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Null if it is known to be no text, undefined if nothing is known. */
  find(blob: string): SharedText | null | undefined {
    const found = this.#texts.get(blob);
    if (!found) return undefined;
    this.#portions.delete(found.portion);
    this.#portions.add(found.portion);
    return found.text;
  }

  /** All that are texts are in one memory. */
  keep(read: readonly (readonly [blob: string, text: SharedText | null])[]): void {
    const bytes = read.find(([, text]) => text)?.[1]?.memory.byteLength ?? 0;
    const portion = { blobs: read.map(([blob]) => blob), bytes };
    for (const [blob, text] of read) this.#texts.set(blob, { text, portion });
    this.#portions.add(portion);
    this.#bytes += bytes;
    for (const oldest of this.#portions) {
      if (this.#bytes <= this.#most) break;
      this.#portions.delete(oldest);
      this.#bytes -= oldest.bytes;
      for (const blob of oldest.blobs)
        if (this.#texts.get(blob)?.portion === oldest) this.#texts.delete(blob);
    }
  }
}

interface Portion {
  blobs: readonly string[];
  bytes: number;
}
