import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { LEAST_CONNECTIONS } from './database-connections.ts';
import { ConfigError } from './errors.ts';
import { checkCloud } from './models/cloud-provider.ts';
import { parseFeatures } from './models/feature-names.ts';
import { checkPrices } from './models/model-prices.ts';
import { EffortSchema, parseEfforts } from './models/thinking.ts';
import { reachableAddresses } from './outgoing/public-address.ts';

const integer = (fallback: number, minimum = 1) => Type.Integer({ default: fallback, minimum });
const text = (fallback: string) => Type.String({ default: fallback });
const optional = Type.Optional(Type.String({ minLength: 1 }));

/**
 * Every setting that Docent reads from the environment, once, at start.
 * Nothing else in the project reads `process.env` (the linter enforces it).
 */
export const ConfigSchema = Type.Object({
  // Address, public URL, data.
  HOST: text('127.0.0.1'),
  PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  PUBLIC_URL: optional,
  /** Addresses or ranges of proxies whose X-Forwarded-For is trusted; comma-separated. */
  TRUSTED_PROXIES: text(''),
  /** Host names beside that of PUBLIC_URL that requests may name; comma-separated. */
  ALLOWED_HOSTS: text(''),
  /**
   * Private networks that an address typed by a person may lead to, such as an internal git server;
   * ranges, comma-separated.
   */
  ALLOWED_PRIVATE_NETWORKS: text(''),
  DATA_DIR: text('.docent'),
  LOG_LEVEL: text('info'),

  // Postgres and Temporal. Without an address, `docent start` runs the embedded one.
  DATABASE_URL: optional,
  /** Connections of one process, all its pools together (shared/database-connections.ts). */
  DATABASE_POOL_SIZE: integer(30, LEAST_CONNECTIONS),
  TEMPORAL_ADDRESS: optional,
  TEMPORAL_NAMESPACE: text('default'),
  TEMPORAL_API_KEY: optional,
  TEMPORAL_TLS: optional,
  TEMPORAL_TLS_CLIENT_CERT_PATH: optional,
  TEMPORAL_TLS_CLIENT_KEY_PATH: optional,
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: optional,
  TEMPORAL_TLS_SERVER_NAME: optional,
  TEMPORAL_UI_URL: optional,
  TEMPORAL_CLI_PATH: optional,
  TASK_QUEUE: text('docent'),

  // The model.
  ANTHROPIC_API_KEY: optional,
  /** Sent as `Authorization: Bearer` instead of the key, as gateways and hosted servers want it. */
  ANTHROPIC_AUTH_TOKEN: optional,
  ANTHROPIC_BASE_URL: optional,
  /** `offline` asks for the built-in rule-based model explicitly. */
  MODEL_PROVIDER: Type.Optional(
    Type.Union(
      (['anthropic', 'bedrock', 'vertex', 'offline'] as const).map(name => Type.Literal(name)),
    ),
  ),
  /** Of Bedrock; credentials are found as the AWS SDK finds them. */
  AWS_REGION: optional,
  /** Of Vertex; credentials are found as Google's library finds them. */
  CLOUD_ML_REGION: optional,
  ANTHROPIC_VERTEX_PROJECT_ID: optional,
  MODEL_SONNET: text('claude-sonnet-5-5'),
  MODEL_OPUS: text('claude-opus-5-5'),
  MODEL_ASSISTANT: text('claude-sonnet-5-5'),
  /** What the endpoint supports, if it is not to be found out: see shared/models/feature-names.ts. */
  MODEL_FEATURES: optional,
  /** Tokens that the endpoint accepts in one request, answer included, if not those of the model. */
  MODEL_CONTEXT_TOKENS: Type.Optional(Type.Integer({ minimum: 16_000 })),
  /** How much a model that thinks may think; without it, as the model does by default. */
  MODEL_EFFORT: Type.Optional(EffortSchema),
  /** By model id, JSON. */
  MODEL_EFFORTS: text('{}'),
  ASSISTANT_EFFORT: Type.Optional(EffortSchema),
  MODEL_DEFAULT: Type.Union([Type.Literal('sonnet'), Type.Literal('opus')], { default: 'sonnet' }),
  MODEL_MAX_OUTPUT_TOKENS: integer(32_000),
  MODEL_TIMEOUT_SECONDS: integer(540),
  /** A stream that brings nothing for so long, not even a ping, is cut and counts as failed. */
  MODEL_IDLE_TIMEOUT_SECONDS: integer(90),
  /**
   * JSON: `{"<model id>": {"input", "output", "cacheWrite", "cacheRead"}}`, US dollars per million
   * tokens.
   */
  MODEL_PRICES: text('{}'),

  // Sign-in to the dashboard through an OpenID Connect provider, if the first three are set.
  OIDC_ISSUER: optional,
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  /** The provider's name on the sign-in page. */
  OIDC_NAME: optional,

  /** Encrypts what the database keeps of secrets: the GitHub App created in the dashboard. */
  ENCRYPTION_KEY: Type.Optional(Type.String({ minLength: 32 })),

  // Repository hosts.
  GITHUB_TOKEN: optional,
  GITHUB_APP_ID: optional,
  GITHUB_APP_PRIVATE_KEY: optional,
  /** With both, people connect the App's installations in the dashboard. */
  GITHUB_APP_CLIENT_ID: optional,
  GITHUB_APP_CLIENT_SECRET: optional,
  GITHUB_API_URL: text('https://api.github.com'),
  /** Signs GitHub's deliveries to the API; without it there is no webhook. */
  GITHUB_WEBHOOK_SECRET: optional,
  /** The mention in a pull request comment that addresses the agent. */
  GITHUB_MENTION: text('@docent'),
  /**
   * Shared by the API (which serves the built-in repository host) and the workers (which read it
   * over git HTTP).
   */
  LOCAL_HOST_URL: optional,
  LOCAL_HOST_TOKEN: optional,

  /** The program of Vale, if it is not on the search path. */
  VALE_PATH: optional,

  // Limits of a job.
  JOB_MAX_STEPS: integer(100),
  JOB_MAX_TOKENS: integer(2_000_000),
  JOB_MAX_REPEATS: integer(4),
  JOB_MAX_MEND_ROUNDS: integer(3),
  JOB_MAX_TURN_MINUTES: Type.Number({ default: 240, exclusiveMinimum: 0 }),
  JOB_MAX_QUEUE: integer(100),
  JOB_MAX_ACTIVE_PER_PROJECT: integer(50),
  JOB_ARCHIVE_AFTER_DAYS: Type.Number({ default: 30, exclusiveMinimum: 0 }),
  JOB_MONTHLY_COST_LIMIT_USD: Type.Optional(Type.Number({ minimum: 0 })),
  /** Jobs are deleted this long after they were archived; without it they are kept. */
  JOB_RETENTION_DAYS: Type.Optional(Type.Number({ minimum: 0 })),
  /** The cost limit per calendar month of all jobs that one admin key made. */
  JOB_KEY_MONTHLY_COST_LIMIT_USD: Type.Optional(Type.Number({ minimum: 0 })),
  /** Continue as new after this many turns whatever Temporal suggests; 0 leaves it to Temporal. */
  JOB_CONTINUE_AS_NEW_AFTER_TURNS: integer(0, 0),

  // Limits of the assistant.
  ASSISTANT_KEY_MONTHLY_LIMIT: integer(10_000),
  ASSISTANT_ORGANIZATION_HOURLY_LIMIT: integer(10_000),
  ASSISTANT_ADDRESS_DAILY_LIMIT: integer(10_000),
  ASSISTANT_MAX_OUTPUT_TOKENS: integer(4_000),
  ASSISTANT_MAX_STREAMS: integer(2_500),
  ASSISTANT_MAX_STREAMS_PER_KEY: integer(500),
  ASSISTANT_MAX_SEARCHES: integer(3),
  /** The key is public, so its cost is limited; costs come from MODEL_PRICES. */
  ASSISTANT_KEY_MONTHLY_COST_LIMIT_USD: Type.Number({ default: 100, minimum: 0 }),
  THREAD_RETENTION_DAYS: integer(90),
  EMBEDDINGS: Type.Union([Type.Literal('off'), Type.Literal('local')], { default: 'off' }),
  INDEX_INTERVAL_MINUTES: integer(60),

  /** A port for Prometheus, at /metrics; without it there is none. */
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  METRICS_HOST: Type.String({ default: '127.0.0.1', minLength: 1 }),
  /** Where traces are sent by OTLP over HTTP; without one of them nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional,
  OTEL_SERVICE_NAME: optional,

  // Workers.
  /** A port for a worker's /healthz and /readyz; without it there are none. */
  WORKER_HEALTH_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  WORKER_MAX_ACTIVITIES: integer(20),
  WORKER_SHUTDOWN_GRACE_SECONDS: integer(30, 0),
  /** Repositories' files on a worker's disk; those used within the hour are kept in any case. */
  GIT_CACHE_MB: integer(10_000),
  /** Test and chaos runs shorten the waits; production keeps the defaults. */
  ACTIVITY_HEARTBEAT_SECONDS: integer(20),

  /** Acts in the audit log are deleted this long after. */
  AUDIT_RETENTION_DAYS: integer(400),
  /** Model calls leave the ledger this long after; monthly limits need those of a month. */
  USAGE_RETENTION_DAYS: integer(400, 32),

  V1_SUNSET: optional,
  IDEMPOTENCY_RETENTION_HOURS: integer(48, 24),
  REQUEST_TIMEOUT_SECONDS: integer(15),
  /** An API that is stopped still accepts requests for so long, while proxies learn of it. */
  API_DRAIN_SECONDS: integer(5, 0),
});

export type Config = Static<typeof ConfigSchema>;

/**
 * Reads the settings from an environment; throws `ConfigError` with one sentence
 * that names the variable and what it must be.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(ConfigSchema.properties)) {
    const value = env[name];
    if (value !== undefined && value !== '') known[name] = value;
  }
  const config = Value.Default(ConfigSchema, Value.Convert(ConfigSchema, known));
  const [first] = Value.Errors(ConfigSchema, config);
  if (first)
    throw new ConfigError(
      `${first.path.slice(1)} ${describe(first.message)}; got ${JSON.stringify(first.value)}.`,
    );
  const proxies = (config as Config).TRUSTED_PROXIES.trim();
  if (/^(true|\d+)$/i.test(proxies)) {
    throw new ConfigError(
      'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, not a number or "true": ' +
        'either would let any client choose its address.',
    );
  }
  checkDatabaseUrl((config as Config).DATABASE_URL);
  checkPrices((config as Config).MODEL_PRICES);
  parseEfforts((config as Config).MODEL_EFFORTS);
  checkModelEndpoint(config as Config);
  checkCloud(config as Config);
  checkSignOn(config as Config);
  reachableAddresses((config as Config).ALLOWED_PRIVATE_NETWORKS);
  return config as Config;
}

function checkModelEndpoint({ MODEL_FEATURES, ANTHROPIC_BASE_URL }: Config): void {
  if (MODEL_FEATURES !== undefined) parseFeatures(MODEL_FEATURES);
  if (ANTHROPIC_BASE_URL === undefined) return;
  const { protocol } = URL.canParse(ANTHROPIC_BASE_URL)
    ? new URL(ANTHROPIC_BASE_URL)
    : { protocol: '' };
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new ConfigError(
      'ANTHROPIC_BASE_URL must be an address such as http://localhost:11434, without /v1/messages.',
    );
}

/** Where people reach the API, without a trailing slash. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Config): string {
  return (PUBLIC_URL ?? `http://${HOST}:${PORT ?? 3000}`).replace(/\/+$/, '');
}

/**
 * The driver makes a host name of any other text. The value is not shown: it may contain a
 * password.
 */
function checkDatabaseUrl(url: string | undefined): void {
  if (url !== undefined && !/^postgres(ql)?:\/\//.test(url))
    throw new ConfigError(
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/database.',
    );
}

/** A half-configured provider signs nobody in, and one over plain http could be anybody. */
function checkSignOn({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: id,
  OIDC_CLIENT_SECRET: secret,
}: Config): void {
  if ([issuer, id, secret].some(Boolean) && !(issuer && id && secret))
    throw new ConfigError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: set all three or none.',
    );
  if (issuer && !/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)(:|\/|$))/.test(issuer))
    throw new ConfigError(`OIDC_ISSUER must be an https:// address; got "${issuer}".`);
}

function describe(message: string): string {
  return message
    .replace(/^Expected (integer|object|array)\b/, 'must be an $1')
    .replace(/^Expected (number|string|boolean)\b/, 'must be a $1')
    .replace(/^Expected /, 'must be ')
    .replace(/^Required property$/, 'is required');
}
