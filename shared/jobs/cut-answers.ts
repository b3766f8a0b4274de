/**
 * The stop reasons of an answer that is a part of one: why it was cut off, for the model and for
 * people, and what a person can do about it. Plain data: the workflow reads it too.
 */
const CUTS = {
  max_tokens: {
    why: 'at the output limit',
    advice: 'Raise MODEL_MAX_OUTPUT_TOKENS, or ask for less at once.',
  },
  model_context_window_exceeded: {
    why: 'because the context window is full',
    advice: 'Set MODEL_CONTEXT_TOKENS to the server’s number, or use a model with a larger window.',
  },
  /** The stream ended before the message did. */
  cut: {
    why: 'because the connection to the model’s server ended',
    advice: 'The server’s log may say why.',
  },
  /** The server named a reason that the API does not have. */
  unknown: {
    why: 'for a reason that is not known',
    advice: 'A gateway that speaks another API may be in between: run docent doctor.',
  },
} as const;

export type CutReason = keyof typeof CUTS;

export function isCut(stopReason: string): stopReason is CutReason {
  return Object.hasOwn(CUTS, stopReason);
}

/** `stoppedBy`: what the server named instead of a known reason. */
export function whyCut(reason: CutReason, stoppedBy?: string): string {
  return CUTS[reason].why + (stoppedBy === undefined ? '' : ` (“${stoppedBy}”)`);
}

/** Why a turn ends after so many of them. */
export function cutSentence(times: number, reason: CutReason, stoppedBy?: string): string {
  const why = whyCut(reason, stoppedBy);
  return `The model’s answer was cut off ${times} times in a row, ${why}. ${CUTS[reason].advice}`;
}
