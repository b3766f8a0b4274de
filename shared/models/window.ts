/** Models count 3 to 5 bytes as a token; an estimate must not be too low. */
export const BYTES_PER_TOKEN = 3;
/** Of a small window, the model's answer gets no more than this. */
const SHARE_OF_ANSWER = 1 / 4;
/** Of the rest, since tokens are estimated. */
const SAFETY = 0.9;

/** How a window of so many tokens is divided: the most of the answer, and what is left beside it. */
export function divideWindow(
  contextTokens: number,
  most: number,
): { maxTokens: number; room: number } {
  const maxTokens = Math.min(most, Math.floor(contextTokens * SHARE_OF_ANSWER));
  return { maxTokens, room: contextTokens * SAFETY - maxTokens };
}
