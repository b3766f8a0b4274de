import type { Usage } from './model-prices.ts';

/** The outcome, in the ledger, of a call that succeeded without a usage that can be counted. */
export const USAGE_UNKNOWN = 'usage_unknown';

/** What a model endpoint may say, or not say, that a call has used. */
export type ReportedUsage = {
  [
    name in
      'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens'
  ]?: number | null;
};

/** More than this in one call is not a count of tokens. */
const MOST = 100_000_000;

/**
 * A model endpoint's count of tokens if it can be one, else undefined: a negative one would give
 * back what others have used.
 */
export function tokenCount(reported: unknown): number | undefined {
  return Number.isInteger(reported) && (reported as number) >= 0 && (reported as number) <= MOST
    ? (reported as number)
    : undefined;
}

/**
 * Tokens of a whole message. `isKnown` is false if a count is missing or impossible, `tellsCaching`
 * if the endpoint does not report what it read from its cache.
 */
export function readUsage(reported: ReportedUsage = {}): {
  usage: Usage;
  isKnown: boolean;
  tellsCaching: boolean;
} {
  const { input_tokens: input, output_tokens: output } = reported;
  const { cache_read_input_tokens: read, cache_creation_input_tokens: write } = reported;
  const counts = [input, output, read ?? 0, write ?? 0].map(tokenCount);
  const [inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0] = counts;
  return {
    usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
    isKnown: !counts.includes(undefined),
    tellsCaching: tokenCount(read) !== undefined,
  };
}
