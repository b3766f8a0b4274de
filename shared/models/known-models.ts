import { OFFLINE_MODEL } from '../agent-text.ts';

/** What is known of a model without asking its endpoint. */
export interface KnownModel {
  /** Tokens of a request with its answer. */
  contextTokens: number;
  /** List price in US dollars per million tokens; cache writes are those kept for five minutes. */
  price: { input: number; output: number; cacheWrite: number; cacheRead: number };
  /** It accepts `thinking: between_tools`: no thinking before the first word. */
  canSkipThinking?: true;
}

/** When the prices below were read from the vendor's price list. */
export const PRICES_AS_OF = '2026-11-22';

const FREE = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 };

/** The default models. MODEL_PRICES and MODEL_CONTEXT_TOKENS override this. */
const MODELS: Readonly<Record<string, KnownModel>> = {
  'claude-sonnet-5-5': {
    contextTokens: 1_000_000,
    price: { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 },
    canSkipThinking: true,
  },
  'claude-opus-5-5': {
    contextTokens: 1_000_000,
    price: { input: 4, output: 20, cacheWrite: 5, cacheRead: 0.2 },
  },
  [OFFLINE_MODEL]: { contextTokens: 1_000_000, price: FREE },
};

/** A window that every model of today has; a smaller one is set in MODEL_CONTEXT_TOKENS. */
const USUAL_CONTEXT_TOKENS = 128_000;

/**
 * A dated id (`…-20260801`) is its model. So are the ids of clouds: `eu.anthropic.…-v1:0` of Bedrock
 * and `…@20260801` of Vertex.
 */
export function knownModel(model: string): KnownModel | undefined {
  const name = model.replace(/^(?:[a-z]+\.)?anthropic\./, '').replace(/-v\d+(?::\d+)?$/, '');
  return MODELS[name] ?? MODELS[name.replace(/[-@]\d{8}$/, '')];
}

/** Tokens that a request to this model may have, answer included. */
export function contextTokens(
  { MODEL_CONTEXT_TOKENS: configured }: { MODEL_CONTEXT_TOKENS?: number },
  model: string,
): number {
  return configured ?? knownModel(model)?.contextTokens ?? USUAL_CONTEXT_TOKENS;
}
