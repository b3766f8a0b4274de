import { type Static, Type } from '@sinclair/typebox';

/** What model calls have cost, and how many of them are not in the number. */
export const CostSchema = Type.Object({
  costUsd: Type.Union([Type.Number(), Type.Null()], {
    description:
      'US dollars of the calls whose cost is known; null if none is: that is not 0. ' +
      'With callsOfUnknownCost above 0 it is a part.',
  }),
  callsOfUnknownCost: Type.Integer({
    description: 'Calls that are not in the cost: of models without a price, or never reported.',
  }),
  callsWithoutPrice: Type.Integer({
    description: 'Those among them whose model has no price in MODEL_PRICES.',
  }),
});
export type Cost = Static<typeof CostSchema>;

/** A sum of known costs as the API shows it. `microUsd` null: no cost is known. */
export function knownCost(sum: {
  costMicroUsd: number | null;
  callsOfUnknownCost: number;
  callsWithoutPrice: number;
}): Cost {
  const { costMicroUsd, callsOfUnknownCost, callsWithoutPrice } = sum;
  const isUnknown = !costMicroUsd && callsOfUnknownCost > 0;
  return {
    costUsd: isUnknown ? null : (costMicroUsd ?? 0) / 1_000_000,
    callsOfUnknownCost,
    callsWithoutPrice,
  };
}

/** The share of input tokens read from the cache; null if there were none, or nobody knows. */
export function cachedShare(used: {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  callsOfUnknownCaching: number;
}): number | null {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, callsOfUnknownCaching } = used;
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  return input === 0 || callsOfUnknownCaching > 0 ? null : cacheReadTokens / input;
}
