import type { Log } from '../../../shared/logger.ts';
import { beginRunning, writeRunning } from '../../../db/assistant/running-answers.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { AnswerEvent } from '../wire/answer-events.ts';

const WRITE_EVERY_MS = 500;
/** Of these writes, one is made also if there is nothing new: the answer is still being made. */
const SIGN_OF_LIFE = 4;
/** Writes until the thread must be stored: the search for the question comes first. */
const MOST_ATTEMPTS = 20;

/** A newer question of the thread, or a deletion, has taken an answer's place. */
export const REPLACED = new Error('the answer was replaced');

/** The answers of this process that continue without their reader. */
export type KeptAnswers = Set<KeptAnswer>;

/** Ends them, as far as they are. */
export async function endKept(answers: KeptAnswers): Promise<void> {
  await Promise.all([...answers].map(answer => answer.abandon()));
}

/**
 * An answer whose reader may come back: while it is made, its events are stored for who reads on,
 * in any process. Without a reader it ends after a time, as others do at once.
 */
export class KeptAnswer {
  readonly #of: { db: Queryable; log: Log; apiKeyId: string; all: KeptAnswers };
  /** Aborts when the one who asked has left. */
  readonly #gone: AbortSignal;
  readonly #left = new AbortController();
  #ids: { messageId: string; threadId: string } | undefined;
  #events: AnswerEvent[] = [];
  #isBegun = false;
  #isKept = true;
  #n = 0;
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #ended: Promise<void> | undefined;
  #end: () => void = () => {};

  constructor(
    of: { db: Queryable; log: Log; apiKeyId: string; all: KeptAnswers },
    gone: AbortSignal,
  ) {
    this.#of = of;
    this.#gone = gone;
    const leave = () => {
      if (!this.#ids || !this.#isKept) this.#left.abort(); // not asked yet, or not kept any more
    };
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
  }

  /** Aborts when the answer need not continue. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  /** Keeps an event; the first one begins it all. */
  note(event: AnswerEvent): void {
    if (event.type === 'start') {
      this.#ids = event;
      this.#of.all.add(this);
      this.#ended = new Promise(resolve => {
        this.#end = resolve;
      });
      this.#timer = setInterval(() => {
        this.#writing = this.#writing.then(() => this.#write(false));
      }, WRITE_EVERY_MS);
    }
    if (!this.#isKept) return;
    const last = this.#events.at(-1);
    if (event.type === 'text' && last?.type === 'text' && last.id === event.id)
      this.#events[this.#events.length - 1] = { ...last, text: last.text + event.text };
    else this.#events.push(event);
  }

  /** After the last event. Never fails. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    if (this.#isBegun) await this.#write(true);
    this.#left.abort();
    this.#of.all.delete(this);
    this.#end();
  }

  /** Ends it before its time; resolves when what there is of it is stored. */
  async abandon(): Promise<void> {
    this.#left.abort();
    await this.#ended;
  }

  async #write(isEnded: boolean): Promise<void> {
    const isDue = this.#events.length > 0 || isEnded || ++this.#ticks % SIGN_OF_LIFE === 0;
    if (!this.#ids || !this.#isKept || !isDue) return;
    const { db, log, apiKeyId } = this.#of;
    const { messageId } = this.#ids;
    try {
      this.#isBegun ||= await beginRunning(db, { ...this.#ids, apiKeyId });
      if (!this.#isBegun) {
        if (++this.#n > MOST_ATTEMPTS) this.#stop();
        return;
      }
      const events = this.#events;
      this.#events = [];
      this.#n += 1;
      const hasReader = !this.#gone.aborted;
      const kept = await writeRunning(db, messageId, { n: this.#n, events, isEnded, hasReader });
      if (!kept) this.#stop();
      else if (kept.isAlone) this.#left.abort();
    } catch (error) {
      log.warn({ err: error, messageId }, 'an answer is not kept for a reader who comes back');
      this.#stop();
    }
  }

  /** From here on the answer ends with the one who asked. */
  #stop(): void {
    this.#isKept = false;
    this.#events = [];
    if (this.#gone.aborted) this.#left.abort(REPLACED);
  }
}
