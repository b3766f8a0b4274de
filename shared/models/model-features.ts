import type { Config } from '../config.ts';
import { ALL_FEATURES, type ModelFeatures, parseFeatures } from './feature-names.ts';

/** What the built-in offline model implements. */
const OFFLINE_FEATURES: ModelFeatures = new Set([
  'citations',
  'context-management',
  'prompt-caching',
]);

const VENDOR = 'https://api.anthropic.com';

/** The address of the model's endpoint without credentials and without `/v1`, as it is stored. */
export function modelEndpoint({ ANTHROPIC_BASE_URL }: Config): string {
  const url = new URL(ANTHROPIC_BASE_URL ?? VENDOR);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/**
 * The features that are known without asking: those set in MODEL_FEATURES, of the offline model, or
 * of the vendor's own endpoint. Undefined for any other endpoint.
 */
export function knownFeatures(config: Config): ModelFeatures | undefined {
  if (config.MODEL_FEATURES !== undefined) return parseFeatures(config.MODEL_FEATURES);
  if (config.MODEL_PROVIDER === 'offline') return OFFLINE_FEATURES;
  return modelEndpoint(config) === VENDOR ? ALL_FEATURES : undefined;
}
