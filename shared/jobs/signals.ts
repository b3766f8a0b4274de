/** Signals: plain JSON, sent by the API and by scripts alike. */
export const SIGNALS = {
  message: 'message',
  approve: 'approve',
  decline: 'decline',
  budget: 'budget',
  cancel: 'cancel',
  archive: 'archive',
} as const;

/** Input of the signal `message`. A `messageId` seen before is ignored. */
export interface MessageSignal {
  prompt: string;
  messageId?: string;
  /**
   * The API stored the instruction under `messageId` before it signalled; `prompt` is then a
   * preview for readers of the history.
   */
  stored?: boolean;
}

/**
 * Input of `cancel` and `archive`: where the sender saw the job's row. Void in a later epoch, and
 * where a reset has taken the job to before it.
 */
export interface EpochSignal {
  epoch?: number;
  n?: number;
}

/** Input of `approve` and `decline`: without a turn, whichever plan waits now. */
export interface DecisionSignal {
  turn?: number;
}

/** Input of `budget`, in US dollars. */
export interface BudgetSignal {
  usd: number;
}
