import type { Static } from '@sinclair/typebox';
import { OFFLINE_MODEL } from './agent-text.ts';
import type { Config, Prices } from './config.ts';

/** True where the built-in rule-based model answers instead of the real one. */
export function isOffline(config: Config): boolean {
  return config.MODEL_PROVIDER === 'offline';
}

/**
 * The id that the Messages API gets for a caller's `sonnet` or `opus`, or for the configured
 * default.
 */
export function agentModel(config: Config, name?: 'sonnet' | 'opus'): string {
  if (isOffline(config)) return OFFLINE_MODEL;
  return (name ?? config.MODEL_DEFAULT) === 'opus' ? config.MODEL_OPUS : config.MODEL_SONNET;
}

/** The id that the Messages API gets for an answer of the assistant. */
export function assistantModel(config: Config): string {
  return isOffline(config) ? OFFLINE_MODEL : config.MODEL_ASSISTANT;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

/**
 * Millionths of a US dollar for one model call, by MODEL_PRICES; 0 where the model has no price
 * there. A dated id (`…-20260801`) has its model's price.
 */
export function costMicroUsd(config: Config, model: string, usage: Usage): number {
  const prices = JSON.parse(config.MODEL_PRICES) as Static<typeof Prices>;
  const price = prices[model] ?? prices[model.replace(/-\d{8}$/, '')];
  if (!price) return 0;
  // Dollars a million tokens = millionths of a dollar a token.
  return Math.round(
    usage.inputTokens * price.input +
      usage.outputTokens * price.output +
      usage.cacheReadTokens * (price.cacheRead ?? price.input) +
      usage.cacheWriteTokens * (price.cacheWrite ?? price.input),
  );
}
