import { OFFLINE_MODEL } from '../agent-text.ts';

/** What is known of a model without asking its endpoint. */
export interface KnownModel {
  /** Tokens of a request with its answer. */
  contextTokens: number;
  /** It accepts `thinking: between_tools`: no thinking before the first word. */
  canSkipThinking?: true;
}

/** The default models; their prices are in model-prices.ts. MODEL_CONTEXT_TOKENS overrides this. */
const MODELS: Readonly<Record<string, KnownModel>> = {
  'claude-sonnet-5-5': { contextTokens: 1_000_000, canSkipThinking: true },
  'claude-opus-5-5': { contextTokens: 1_000_000 },
  [OFFLINE_MODEL]: { contextTokens: 1_000_000 },
};

/** A window that every model of today has; a smaller one is set in MODEL_CONTEXT_TOKENS. */
const USUAL_CONTEXT_TOKENS = 128_000;

export function knownModel(model: string): KnownModel | undefined {
  return findByModel(MODELS, model);
}

/**
 * What a table has for a model. A dated id (`…-20260801`) is its model. So are the ids of clouds:
 * `eu.anthropic.…-v1:0` of Bedrock and `…@20260801` of Vertex.
 */
export function findByModel<T>(table: Readonly<Record<string, T>>, model: string): T | undefined {
  const name = model.replace(/^(?:[a-z]+\.)?anthropic\./, '').replace(/-v\d+(?::\d+)?$/, '');
  return table[name] ?? table[name.replace(/[-@]\d{8}$/, '')];
}

/** Tokens that a request to this model may have, answer included. */
export function contextTokens(
  { MODEL_CONTEXT_TOKENS: configured }: { MODEL_CONTEXT_TOKENS?: number },
  model: string,
): number {
  return configured ?? knownModel(model)?.contextTokens ?? USUAL_CONTEXT_TOKENS;
}
