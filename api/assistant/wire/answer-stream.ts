import { Readable } from 'node:stream';
import type { AnswerEvent, Encoding } from './answer-events.ts';

/** 2,000 streams of single tokens saturate a core; at 50 writes per second each they do not. */
const WRITE_EVERY_MS = 20;
/** Proxies close a silent connection after 30 to 60 s. */
const KEEP_ALIVE_MS = 15_000;

/**
 * An answer on its way to the reader. Every event is written at once, except that text within 20 ms
 * of the previous text is held back and written together; a silent stream gets a keep-alive. Events
 * are handed in, not pulled through iterators: those left 17 KB of garbage per word of an answer,
 * and a process with 2,000 streams grew by half a gigabyte.
 */
export class AnswerStream extends Readable {
  readonly #encoding: Encoding;
  readonly #note: ((event: AnswerEvent) => void) | undefined;
  readonly #keepAlive: NodeJS.Timeout;
  #held: { type: 'text'; id: string; text: string } | undefined;
  #flush: NodeJS.Timeout | undefined;
  #wroteTextAt = -Infinity;
  #full: { wait: Promise<void>; end: () => void } | undefined;

  /** `note` gets every event, also after the reader has left. */
  constructor(encoding: Encoding, note?: (event: AnswerEvent) => void) {
    super();
    this.#encoding = encoding;
    this.#note = note;
    this.#keepAlive = setTimeout(() => this.#write(encoding.keepAlive), KEEP_ALIVE_MS);
  }

  /** Writes an event; text perhaps a little later. */
  send(event: AnswerEvent): void {
    this.#note?.(event);
    if (event.type !== 'text') return this.#write(this.#takeHeld() + this.#encoding.encode(event));
    this.#held = this.#held ? { ...this.#held, text: this.#held.text + event.text } : event;
    const early = this.#wroteTextAt + WRITE_EVERY_MS - performance.now();
    if (early <= 0) this.#write(this.#takeHeld());
    else this.#flush ??= setTimeout(() => this.#write(this.#takeHeld()), early);
  }

  /** If the reader is behind: settles when there is room again, or when the reader has left. */
  full(): Promise<void> | undefined {
    return this.#full?.wait;
  }

  /** No event follows. */
  end(): void {
    this.#write(this.#takeHeld());
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

  /** The frame of the text that was held back; '' if there is none. */
  #takeHeld(): string {
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
