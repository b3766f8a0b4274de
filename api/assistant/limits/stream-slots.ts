import type { Config } from '../../../shared/config.ts';
import { openStreams } from '../../../shared/metrics/metrics.ts';
import { Problem } from '../../../shared/errors.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../../shared/retry-after.ts';
import { type Caller, type Limiter, refuseOverQuestionLimits } from './use-limits.ts';

/**
 * Limits how many answers this process streams at once, in total and per key: a public key must not
 * take all of them.
 */
export class StreamSlots {
  readonly #limits: { all: number; key: number };
  readonly #perKey = new Map<string, number>();
  #all = 0;

  constructor(config: Config) {
    this.#limits = { all: config.ASSISTANT_MAX_STREAMS, key: config.ASSISTANT_MAX_STREAMS_PER_KEY };
  }

  /** Takes a slot until `end` aborts; false if none is free. */
  take(keyId: string, end: AbortSignal): boolean {
    const ofKey = this.#perKey.get(keyId) ?? 0;
    if (this.#all >= this.#limits.all || ofKey >= this.#limits.key) return false;
    if (end.aborted) return true; // its event does not come again
    this.#all += 1;
    openStreams.inc();
    this.#perKey.set(keyId, ofKey + 1);
    end.addEventListener('abort', () => this.#giveBack(keyId), { once: true });
    return true;
  }

  #giveBack(keyId: string): void {
    this.#all -= 1;
    openStreams.dec();
    const left = (this.#perKey.get(keyId) ?? 1) - 1;
    if (left === 0) this.#perKey.delete(keyId);
    else this.#perKey.set(keyId, left);
  }
}

/** Takes a slot for an answer until `end` aborts; throws 429 or 503 if none is free. */
export async function takeStreamSlot(
  { slots, limiter }: { slots: StreamSlots; limiter: Limiter },
  caller: Caller,
  end: AbortSignal,
): Promise<void> {
  if (slots.take(caller.apiKey.id, end)) return;
  await refuseOverQuestionLimits(limiter, caller); // a limit knows when it resets, a crowd does not
  throw new Problem(
    'unavailable',
    'Too many answers are being streamed just now; try again in a moment.',
    { headers: retryAfter(RETRY_AFTER_SECONDS.answerStreams) },
  );
}
