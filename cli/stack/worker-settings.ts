import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { cloudProvider } from '../../shared/models/cloud-provider.ts';
import type { Env } from '../connect/settings.ts';

/** Secrets that only the API uses, and the settings that make no sense without them. */
export const OF_THE_API: readonly string[] = [
  'GITHUB_APP_CLIENT_ID',
  'GITHUB_APP_CLIENT_SECRET',
  'GITHUB_WEBHOOK_SECRET',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
] satisfies (keyof Config)[];

/** What Node, the programs that a worker runs, and the SDKs of the model and of traces read. */
const OF_LIBRARIES =
  /^(?:PATH|HOME|TMPDIR|TZ|LANG|LC_[A-Z]+|XDG_CONFIG_HOME|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|ALL|NO)_PROXY|(?:NODE|UV|ANTHROPIC|OTEL)_\w+)$/i;

/** What the SDKs of the clouds find credentials by. */
const OF_CLOUDS = {
  bedrock: /^AWS_/,
  vertex: /^(?:GOOGLE|GCLOUD|GCE|CLOUDSDK|METADATA)_/,
} as const;

/**
 * The settings of the worker that `docent start` runs, as an environment has them. Its metrics are
 * on the port after that of the API.
 */
export function workerSettings(config: Config): Record<string, string> {
  const { METRICS_PORT: port } = config;
  if (port === 65_535)
    throw new ConfigError(
      'METRICS_PORT is 65535, and docent start needs the next one for its worker: choose a lower one.',
    );
  return Object.fromEntries(
    Object.entries({ ...config, METRICS_PORT: port && port + 1 }).flatMap(([name, value]) =>
      value === undefined || OF_THE_API.includes(name) ? [] : [[name, String(value)]],
    ),
  );
}

/** What else it gets: of our environment, what libraries read. */
export function workerEnvironment(config: Config, env: Env): Env {
  const cloud = cloudProvider(config);
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => OF_LIBRARIES.test(name) || (cloud && OF_CLOUDS[cloud].test(name)),
    ),
  );
}
