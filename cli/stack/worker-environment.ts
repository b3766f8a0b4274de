import type { Config } from '../../shared/config.ts';
import { cloudProvider } from '../../shared/models/cloud-provider.ts';
import type { Env } from '../connect/settings.ts';

/** Secrets that only the API uses, and the settings that make no sense without them. */
const OF_THE_API: readonly (keyof Config)[] = [
  'GITHUB_APP_CLIENT_ID',
  'GITHUB_APP_CLIENT_SECRET',
  'GITHUB_WEBHOOK_SECRET',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
];

/** What Node, the programs that a worker runs, and the SDKs of the model and of traces read. */
const OF_LIBRARIES =
  /^(?:PATH|HOME|TMPDIR|TZ|LANG|LC_[A-Z]+|XDG_CONFIG_HOME|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|ALL|NO)_PROXY|(?:NODE|UV|ANTHROPIC|OTEL)_\w+)$/i;

/** What the SDKs of the clouds find credentials by. */
const OF_CLOUDS = {
  bedrock: /^AWS_/,
  vertex: /^(?:GOOGLE|GCLOUD|GCE|CLOUDSDK|METADATA)_/,
} as const;

/**
 * The environment of the worker that `docent start` runs: its settings, and of ours only what
 * libraries read. Its metrics are on the port after that of the API.
 */
export function workerEnvironment(config: Config, env: Env): Record<string, string> {
  const cloud = cloudProvider(config);
  const given = Object.entries(env).filter(
    ([name]) => OF_LIBRARIES.test(name) || (cloud && OF_CLOUDS[cloud].test(name)),
  );
  const { METRICS_PORT: port } = config;
  const settings = Object.entries({ ...config, METRICS_PORT: port && port + 1 }).filter(
    ([name]) => !OF_THE_API.includes(name as keyof Config),
  );
  return Object.fromEntries(
    [...given, ...settings].flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
