import { OFFLINE_MODEL } from '../agent-text.ts';
import type { Config } from '../config.ts';

/** Whether the built-in rule-based model answers instead of the real one. */
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
