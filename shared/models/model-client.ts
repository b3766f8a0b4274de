import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import type { Config } from '../config.ts';
import { currentTracer } from '../traces/tracing.ts';
import { openCloudClient } from './cloud-clients.ts';
import { cloudProvider } from './cloud-provider.ts';
import type { ModelClient } from './messages-api.ts';
import { isOffline } from './model-ids.ts';

type Settings = Pick<
  Config,
  'ANTHROPIC_API_KEY' | 'ANTHROPIC_AUTH_TOKEN' | 'ANTHROPIC_BASE_URL' | 'MODEL_PROVIDER'
>;

/**
 * Whether there is anything to call the model with: a cloud, a key, a token, or an endpoint of one's
 * own.
 */
export function hasModel(config: Settings): boolean {
  return Boolean(
    config.MODEL_PROVIDER === 'offline' ||
    cloudProvider(config) ||
    config.ANTHROPIC_API_KEY ||
    config.ANTHROPIC_AUTH_TOKEN ||
    config.ANTHROPIC_BASE_URL,
  );
}

/**
 * The client of the Messages API for these settings. It retries nothing: callers do, and record
 * each attempt. Throws `ConfigError` if the SDK of a cloud is not installed.
 */
export async function openModelClient(
  config: Config,
  options: ClientOptions = {},
): Promise<ModelClient> {
  const common: ClientOptions = {
    maxRetries: 0,
    // Spans of calls come from the SDK: never with content, and no trace id goes to the vendor.
    openTelemetry: currentTracer()
      ? { propagation: false, traces: { enabled: true, contentMode: 'metadata_only' } }
      : false,
    ...options,
  };
  const cloud = cloudProvider(config);
  return cloud ? await openCloudClient(cloud, config, common) : anthropicClient(config, common);
}

/** The SDK adds `/v1/messages` to the address, so a `/v1` at its end is left out. */
function anthropicClient(config: Config, options: ClientOptions): Anthropic {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_AUTH_TOKEN: authToken } = config;
  const baseURL = config.ANTHROPIC_BASE_URL?.replace(/\/+$/, '').replace(/\/v1$/, '');
  const byToken = apiKey === undefined && authToken !== undefined && !isOffline(config);
  return new Anthropic({
    // The SDK accepts one of them, and without either it sends nothing. An endpoint of one's own may
    // want no key; the vendor's refuses the word, and the caller gets the sentence for that.
    apiKey: byToken ? null : (apiKey ?? 'none'),
    authToken: byToken ? authToken : null,
    ...(baseURL && { baseURL }),
    ...options,
  });
}
