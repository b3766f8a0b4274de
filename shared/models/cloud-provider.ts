import { ConfigError } from '../errors.ts';

/** Clouds that serve the models through an API of their own. */
export type CloudProvider = 'bedrock' | 'vertex';

/** Settings that name a cloud and a place in it. */
export interface CloudSettings {
  MODEL_PROVIDER?: string;
  AWS_REGION?: string;
  CLOUD_ML_REGION?: string;
  ANTHROPIC_VERTEX_PROJECT_ID?: string;
}

/** The cloud that serves the models, if one does. */
export function cloudProvider({
  MODEL_PROVIDER: provider,
}: Pick<CloudSettings, 'MODEL_PROVIDER'>): CloudProvider | undefined {
  return provider === 'bedrock' || provider === 'vertex' ? provider : undefined;
}

/** Throws `ConfigError` if the region or project is missing: the SDKs would guess, or fail late. */
export function checkCloud(settings: CloudSettings): void {
  const provider = cloudProvider(settings);
  if (!provider) return;
  const needed =
    provider === 'bedrock'
      ? (['AWS_REGION'] as const)
      : (['CLOUD_ML_REGION', 'ANTHROPIC_VERTEX_PROJECT_ID'] as const);
  const missing = needed.filter(name => settings[name] === undefined);
  if (missing.length > 0)
    throw new ConfigError(`MODEL_PROVIDER=${provider} needs ${missing.join(' and ')}.`);
}

/** The address that the cloud's SDK calls, without a path. */
export function cloudEndpoint(provider: CloudProvider, settings: CloudSettings): string {
  if (provider === 'bedrock') return `https://bedrock-runtime.${settings.AWS_REGION}.amazonaws.com`;
  const region = settings.CLOUD_ML_REGION ?? 'global';
  if (region === 'global') return 'https://aiplatform.googleapis.com';
  return region === 'us' || region === 'eu'
    ? `https://aiplatform.${region}.rep.googleapis.com`
    : `https://${region}-aiplatform.googleapis.com`;
}
