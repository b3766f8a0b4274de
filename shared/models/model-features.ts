import type { Config } from '../config.ts';
import { cloudEndpoint, cloudProvider } from './cloud-provider.ts';
import { ALL_FEATURES, type ModelFeatures, parseFeatures } from './feature-names.ts';

/** What the built-in offline model implements. */
const OFFLINE_FEATURES: ModelFeatures = new Set([
  'citations',
  'context-management',
  'prompt-caching',
]);

const VENDOR = 'https://api.anthropic.com';

/** The address of the model's endpoint without credentials and without `/v1`, as it is stored. */
export function modelEndpoint(config: Config): string {
  const cloud = cloudProvider(config);
  const usual = cloud ? cloudEndpoint(cloud, config) : VENDOR;
  const url = new URL(config.ANTHROPIC_BASE_URL ?? usual);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/**
 * The features that are known without asking: those set in MODEL_FEATURES, of the offline model, of
 * the vendor's own endpoint, or of the clouds, for which the vendor lists the same ones
 * (https://platform.claude.com/docs/en/build-with-claude/overview). Undefined for any other endpoint.
 */
export function knownFeatures(config: Config): ModelFeatures | undefined {
  if (config.MODEL_FEATURES !== undefined) return parseFeatures(config.MODEL_FEATURES);
  if (config.MODEL_PROVIDER === 'offline') return OFFLINE_FEATURES;
  return cloudProvider(config) || modelEndpoint(config) === VENDOR ? ALL_FEATURES : undefined;
}

/**
 * Whether the endpoint knows Anthropic's typed text editor: the vendor's own and the clouds do.
 * Servers that speak the same API refuse it, or show the model a name without a description.
 */
export function hasNativeEditor(config: Config): boolean {
  return cloudProvider(config) !== undefined || modelEndpoint(config) === VENDOR;
}
