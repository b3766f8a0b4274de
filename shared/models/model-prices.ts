import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { OFFLINE_MODEL } from '../agent-text.ts';
import { ConfigError } from '../errors.ts';
import { cloudProvider } from './cloud-provider.ts';
import { findByModel } from './known-models.ts';

const dollars = Type.Number({ minimum: 0 });
/** US dollars per million tokens. */
const Price = Type.Object({
  input: dollars,
  output: dollars,
  cacheWrite: Type.Optional(dollars),
  cacheRead: Type.Optional(dollars),
});
type Price = Static<typeof Price>;
/**
 * The list prices of the default models, from the vendor's price list of 2026-11-22; cache writes
 * are those kept for five minutes.
 */
const LIST_PRICES: Readonly<Record<string, Price>> = {
  'claude-sonnet-5-5': { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 },
  'claude-opus-5-5': { input: 4, output: 20, cacheWrite: 5, cacheRead: 0.2 },
  [OFFLINE_MODEL]: { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 },
};

/** By model id: what the setting MODEL_PRICES contains. */
const Prices = Type.Record(Type.String(), Price);

const EXAMPLE =
  '{"claude-sonnet-5-5": {"input": 2, "output": 10, "cacheWrite": 2.5, "cacheRead": 0.2}}';

/** Tokens of one model call, or of several. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

type PriceSettings = { MODEL_PRICES: string; MODEL_PROVIDER?: string };

/**
 * MODEL_PRICES first, then the list prices. A dated id has its model's price. A cloud
 * has prices of its own, by region: there only MODEL_PRICES counts.
 */
function priceOf(settings: PriceSettings, model: string): Price | undefined {
  const prices = JSON.parse(settings.MODEL_PRICES) as Record<string, Price>;
  const listed = cloudProvider(settings) ? undefined : findByModel(LIST_PRICES, model);
  return prices[model] ?? prices[model.replace(/[-@]\d{8}$/, '')] ?? listed;
}

/** Those of the models that have no price: their cost is not counted, and no cost limit holds for them. */
export function unpricedModels(settings: PriceSettings, models: readonly string[]): string[] {
  return [...new Set(models)].filter(model => !priceOf(settings, model));
}

/**
 * The cost of one model call in millionths of a US dollar: of the model that answered or, if that has
 * no price, of the one that was asked. Undefined if neither has one: nobody knows what it cost, and
 * that is not 0.
 */
export function costMicroUsd(
  settings: PriceSettings,
  model: { answered: string; asked: string },
  usage: Usage,
): number | undefined {
  const price = priceOf(settings, model.answered) ?? priceOf(settings, model.asked);
  if (!price) return undefined;
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
