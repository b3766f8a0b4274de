import type { ClientOptions } from '@anthropic-ai/sdk';
import type { Config } from '../config.ts';
import { ConfigError } from '../errors.ts';
import type { CloudProvider } from './cloud-provider.ts';
import { redact } from '../secrets/redact.ts';
import type { ModelClient } from './messages-api.ts';

type Constructor = new (options: Record<string, unknown>) => ModelClient;

/**
 * Their SDKs bring 71 MB that most installations do not use: they are development packages, for the
 * tests, and loaded only if they are chosen. The versions are those of package.json.
 */
export const CLOUD_SDKS = {
  bedrock: { name: '@anthropic-ai/bedrock-sdk', version: '1.1.3', client: 'AnthropicBedrock' },
  vertex: { name: '@anthropic-ai/vertex-sdk', version: '1.1.3', client: 'AnthropicVertex' },
} as const;

/** What installs the SDK beside Docent; a checkout has it. */
export function installCommand(provider: CloudProvider): string {
  const { name, version } = CLOUD_SDKS[provider];
  return `npm install ${name}@${version}`;
}

/**
 * The client of a cloud. Credentials are found as its SDK finds them: in the environment, in files,
 * or from the machine's own role. ANTHROPIC_BASE_URL replaces the cloud's public address. Throws
 * `ConfigError` if the SDK is not installed.
 */
export async function openCloudClient(
  provider: CloudProvider,
  config: Config,
  options: ClientOptions,
): Promise<ModelClient> {
  const Client = await load(provider);
  const address = config.ANTHROPIC_BASE_URL?.replace(/\/+$/, '').replace(/\/v1$/, '');
  if (provider === 'bedrock')
    return new Client({
      ...options,
      awsRegion: config.AWS_REGION,
      ...(address && { baseURL: address }),
    });
  const client = new Client({
    ...options,
    region: config.CLOUD_ML_REGION,
    projectId: config.ANTHROPIC_VERTEX_PROJECT_ID,
    ...(address && { baseURL: `${address}/v1` }),
  });
  await foundCredentials(client);
  return client;
}

/**
 * The SDK looks for credentials at once and never again. Without them every later call would fail,
 * and the rejection, which nobody handles, would end the process without a word.
 */
async function foundCredentials(client: object): Promise<void> {
  try {
    await (client as { _authClientPromise?: Promise<unknown> })._authClientPromise;
  } catch (error) {
    throw new ConfigError(
      'MODEL_PROVIDER=vertex cannot get Google credentials. Set GOOGLE_APPLICATION_CREDENTIALS, or ' +
        `run on a machine with a service account. (${redact((error as Error).message)})`,
    );
  }
}

async function load(provider: CloudProvider): Promise<Constructor> {
  const { name, client } = CLOUD_SDKS[provider];
  try {
    // A variable, so that neither the compiler nor the bundler needs the package.
    const sdk = (await import(name)) as Record<string, Constructor>;
    return sdk[client] as Constructor;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(
      `MODEL_PROVIDER=${provider} needs ${name}, which is not installed. Run: ` +
        installCommand(provider),
    );
  }
}
