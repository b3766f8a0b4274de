import { Readable } from 'node:stream';
import type { AnswerEvent, Encoding } from './answer-events.ts';

const WRITE_EVERY_MS = 20; // 2,000 streams of single tokens saturate a core; at 50 writes a second they do not
const KEEP_ALIVE_MS = 15_000; // under the 30 to 60 s after which proxies give up on a silent connection

/**
 * What goes on the wire: every event at once, except that text that follows a write of text within
 * 20 ms waits for the rest of them, and that a silent stream gets a keep-alive. Events are handed
 * in, not pulled through iterators: those left 17 KB of garbage for each word of an answer, and a
 * process with 2,000 streams grew by half a gigabyte.
 */
export class AnswerStream extends Readable {
  readonly #encoding: Encoding;
  readonly #keepAlive: NodeJS.Timeout;
  #held: { type: 'text'; id: string; text: string } | undefined;
  #flush: NodeJS.Timeout | undefined;
  #wroteTextAt = -Infinity;
  #full: { wait: Promise<void>; end: () => void } | undefined;

  constructor(encoding: Encoding) {
    super();
    this.#encoding = encoding;
    this.#keepAlive = setTimeout(() => this.#write(encoding.keepAlive), KEEP_ALIVE_MS);
  }

  /** Puts an event on the wire; text perhaps a little later. */
  say(event: AnswerEvent): void {
    if (event.type !== 'text') return this.#write(this.#taken() + this.#encoding.encode(event));
    this.#held = this.#held ? { ...this.#held, text: this.#held.text + event.text } : event;
    const early = this.#wroteTextAt + WRITE_EVERY_MS - performance.now();
    if (early <= 0) this.#write(this.#taken());
    else this.#flush ??= setTimeout(() => this.#write(this.#taken()), early);
  }

  /**
   * Whether the reader is behind; then it settles when there is room again, or when the reader has
   * left.
   */
  full(): Promise<void> | undefined {
    return this.#full?.wait;
  }

  /** What was said is all. */
  end(): void {
    this.#write(this.#taken());
    clearTimeout(this.#keepAlive); // the reader may take longer for the rest than a silence lasts
    this.push(null);
  }

  override _read(): void {
    this.#full?.end();
    this.#full = undefined;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#flush);
    this.#full?.end();
    done(error);
  }

  /** The frame of the text that was held; '' where there is none. */
  #taken(): string {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    if (!this.#held) return '';
    const frame = this.#encoding.encode(this.#held);
    this.#held = undefined;
    this.#wroteTextAt = performance.now();
    return frame;
  }

  #write(frame: string): void {
    if (this.destroyed || frame === '') return;
    this.#keepAlive.refresh();
    if (this.push(frame) || this.#full) return;
    let end = () => {};
    this.#full = {
      wait: new Promise(resolve => {
        end = resolve;
      }),
      end: () => end(),
    };
  }
}
