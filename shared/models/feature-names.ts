import { ConfigError } from '../errors.ts';

/**
 * What an endpoint of the Messages API can do beyond text and tools. Servers that implement a part
 * of the API refuse what they do not know (vLLM), or drop it without a word (Ollama, llama.cpp).
 */
export const FEATURE_NAMES = [
  /** Reads `search_result` blocks and cites them. */
  'citations',
  /** Drops old tool results itself (`context_management`). */
  'context-management',
  /** Reports what it read from its cache. */
  'prompt-caching',
  /** Accepts `thinking`, and gives `thinking` blocks that it reads again. */
  'thinking',
  /** Reads image blocks. */
  'images',
] as const;
export type FeatureName = (typeof FEATURE_NAMES)[number];
export type ModelFeatures = ReadonlySet<FeatureName>;

export const ALL_FEATURES: ModelFeatures = new Set(FEATURE_NAMES);
export const NO_FEATURES: ModelFeatures = new Set();

/** Reads MODEL_FEATURES: `all`, `none`, or comma-separated names. Throws `ConfigError`. */
export function parseFeatures(setting: string): ModelFeatures {
  const text = setting.trim();
  if (text === 'all') return ALL_FEATURES;
  if (text === 'none') return NO_FEATURES;
  const names = text.split(',').map(name => name.trim());
  if (!names.every(isFeatureName))
    throw new ConfigError(
      `MODEL_FEATURES must be all, none, or a comma-separated list of ${FEATURE_NAMES.join(', ')}; ` +
        `got ${JSON.stringify(setting.slice(0, 200))}.`,
    );
  return new Set(names);
}

export function isFeatureName(name: unknown): name is FeatureName {
  return FEATURE_NAMES.some(known => known === name);
}
