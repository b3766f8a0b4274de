import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ConfigError } from '../errors.ts';

const dollars = Type.Number({ minimum: 0 });
/** US dollars per million tokens, by model id: what the setting MODEL_PRICES contains. */
const Prices = Type.Record(
  Type.String(),
  Type.Object({
    input: dollars,
    output: dollars,
    cacheWrite: Type.Optional(dollars),
    cacheRead: Type.Optional(dollars),
  }),
);

const EXAMPLE =
  '{"claude-sonnet-5-5": {"input": 3, "output": 15, "cacheWrite": 3.75, "cacheRead": 0.3}}';

/** Tokens of one model call, or of several. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

/**
 * The cost of one model call in millionths of a US dollar; 0 if MODEL_PRICES has no price for the
 * model. A dated id (`…-20260801`) has its model's price.
 */
export function costMicroUsd(
  { MODEL_PRICES }: { MODEL_PRICES: string },
  model: string,
  usage: Usage,
): number {
  const prices = JSON.parse(MODEL_PRICES) as Static<typeof Prices>;
  const price = prices[model] ?? prices[model.replace(/-\d{8}$/, '')];
  if (!price) return 0;
  // Dollars per million tokens = millionths of a dollar per token.
  return Math.round(
    usage.inputTokens * price.input +
      usage.outputTokens * price.output +
      usage.cacheReadTokens * (price.cacheRead ?? price.input) +
      usage.cacheWriteTokens * (price.cacheWrite ?? price.input),
  );
}

/** Throws at start if MODEL_PRICES is malformed, not after the first model call was paid for. */
export function checkPrices(prices: string): void {
  try {
    Value.Assert(Prices, JSON.parse(prices));
  } catch {
    throw new ConfigError(
      `MODEL_PRICES must be JSON such as ${EXAMPLE}; got ${JSON.stringify(prices.slice(0, 200))}.`,
    );
  }
}
