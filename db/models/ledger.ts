import { APIError } from '@anthropic-ai/sdk';
import { newId } from '../../shared/ids.ts';
import { countModelCall } from '../../shared/metrics/metrics.ts';
import type { GrowingMessage } from '../../shared/models/growing-message.ts';
import { costMicroUsd } from '../../shared/models/model-prices.ts';
import { readUsage, USAGE_UNKNOWN } from '../../shared/models/reported-usage.ts';
import type { Queryable } from '../pool.ts';
import {
  enterModelCall,
  type ModelCall,
  noteRequestId,
  settleModelCall,
  withdrawModelCall,
} from './model-calls.ts';

/** Where calls are written down, and what they cost by. */
export interface Books {
  db: Queryable;
  config: Parameters<typeof costMicroUsd>[0];
}

/** A call as its caller knows it before it is made. */
export type NewCall = ModelCall extends infer Call
  ? Call extends ModelCall
    ? Omit<Call, 'id'>
    : never
  : never;

/**
 * A model call that is in the ledger: entered before it is made, and either settled or withdrawn.
 * What neither happens to is closed by the sweep (`closeLostCalls`).
 */
export class LedgerEntry {
  readonly #books: Books;
  readonly #call: ModelCall;
  #requestId: string | null = null;
  #noted: Promise<void> = Promise.resolve();
  #isCounted = false;

  /** Enters a call. If this rejects, the call must not be made. */
  static async enter(books: Books, call: NewCall): Promise<LedgerEntry> {
    const entry = new LedgerEntry(books, { id: newId('call'), ...call });
    await enterModelCall(books.db, entry.#call);
    return entry;
  }

  private constructor(books: Books, call: ModelCall) {
    this.#books = books;
    this.#call = call;
  }

  /** The server answers, under this name. */
  answers(requestId: string | null): void {
    this.#requestId = requestId;
    if (requestId === null) return;
    // For whom nobody settles; what fails here is stored with the settlement.
    this.#noted = noteRequestId(this.#books.db, this.#call.id, requestId).catch(() => undefined);
  }

  /**
   * Stores what has come of `message`, and of the `error` that ended it. May be repeated until it
   * works. A refusal costs nothing; an answer without a count costs nobody knows what.
   */
  async settle(outcome: string, message: GrowingMessage, error?: unknown): Promise<void> {
    const { id, purpose, model: asked } = this.#call;
    const { model = asked } = message;
    const { usage, tellsCaching } = readUsage(message.usage);
    const known = isCounted(message)
      ? costMicroUsd(this.#books.config, { answered: model, asked }, usage)
      : undefined;
    const isRefusal = error instanceof APIError && typeof error.status === 'number';
    const cost = isRefusal ? 0 : known;
    if (!this.#isCounted)
      countModelCall({ purpose, outcome, usage, costMicroUsd: cost, model: asked });
    this.#isCounted = true;
    await this.#noted;
    await settleModelCall(this.#books.db, id, {
      outcome,
      model,
      requestId: this.#requestId ?? (isRefusal ? (error.requestID ?? null) : null),
      usage,
      costMicroUsd: cost,
      tellsCaching,
    });
  }

  /** The call was not made. */
  async withdraw(): Promise<void> {
    await withdrawModelCall(this.#books.db, this.#call.id);
  }
}

/** The outcome of an answer that is used. */
export function outcomeOfAnswer(message: GrowingMessage, isCut = false): string {
  return !isCounted(message) ? USAGE_UNKNOWN : isCut ? 'cut' : 'ok';
}

/** An answer without a single token counted was not counted at all. */
function isCounted({ usage: reported }: GrowingMessage): boolean {
  const { isKnown, usage } = readUsage(reported);
  return isKnown && usage.inputTokens + usage.outputTokens > 0;
}
