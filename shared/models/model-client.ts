import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import type { Config } from '../config.ts';
import { openCloudClient } from './cloud-clients.ts';
import { cloudProvider } from './cloud-provider.ts';
import { httpFetch } from './http-fetch.ts';
import type { ModelClient } from './messages-api.ts';
import { isOffline } from './model-ids.ts';
import type { Patience } from './stream-message.ts';

/** How long each call waits, by its settings. */
export function modelPatience(
  config: Pick<Config, 'MODEL_TIMEOUT_SECONDS' | 'MODEL_IDLE_TIMEOUT_SECONDS'>,
): Patience {
  return {
    firstMs: config.MODEL_TIMEOUT_SECONDS * 1000,
    idleMs: config.MODEL_IDLE_TIMEOUT_SECONDS * 1000,
  };
}

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
  const cloud = cloudProvider(config);
  const common: ClientOptions = {
    maxRetries: 0,
    timeout: modelPatience(config).firstMs,
    // Bedrock's SDK translates a binary stream, which it must get as a web stream.
    ...(cloud !== 'bedrock' && { fetch: httpFetch }),
    // Ours (stream-message.ts) have the usage, which the SDK's lack if it does not read the stream.
    openTelemetry: false,
    ...options,
  };
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
