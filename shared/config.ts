import { type Static, Type } from '@sinclair/typebox';
import { Value, type ValueError } from '@sinclair/typebox/value';
import { checkConfig } from './config-checks.ts';
import { LEAST_CONNECTIONS } from './database-connections.ts';
import { ConfigError } from './errors.ts';
import { EFFORTS } from './models/thinking.ts';
import {
  choice,
  formed,
  HOST_AND_PORT,
  HOST_NAME,
  HOST_NAMES,
  HTTP_ADDRESS,
  integer,
  KEYS,
  MENTION,
  optional,
  optionalFormed,
  REGION,
  SWITCH,
  text,
  WORD,
} from './setting-types.ts';

/**
 * Every setting that Docent reads from the environment, once, at start.
 * Nothing else in the project reads `process.env` (the linter enforces it).
 */
export const ConfigSchema = Type.Object({
  // Address, public URL, data.
  HOST: formed(HOST_NAME, '127.0.0.1'),
  PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  PUBLIC_URL: optionalFormed(HTTP_ADDRESS),
  /** Addresses or ranges of proxies whose X-Forwarded-For is trusted; comma-separated. */
  TRUSTED_PROXIES: text(''),
  /** Host names beside that of PUBLIC_URL that requests may name; comma-separated. */
  ALLOWED_HOSTS: formed(HOST_NAMES, ''),
  /**
   * Private networks that an address typed by a person may lead to, such as an internal git server;
   * ranges, comma-separated.
   */
  ALLOWED_PRIVATE_NETWORKS: text(''),
  DATA_DIR: text('.docent'),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),

  // Postgres and Temporal. Without an address, `docent start` runs the embedded one.
  DATABASE_URL: optional,
  /** Connections of one process, all its pools together (shared/database-connections.ts). */
  DATABASE_POOL_SIZE: integer(30, LEAST_CONNECTIONS),
  TEMPORAL_ADDRESS: optionalFormed(HOST_AND_PORT),
  TEMPORAL_NAMESPACE: formed(WORD, 'default'),
  TEMPORAL_API_KEY: optionalFormed(WORD),
  TEMPORAL_TLS: optionalFormed(SWITCH),
  TEMPORAL_TLS_CLIENT_CERT_PATH: optional,
  TEMPORAL_TLS_CLIENT_KEY_PATH: optional,
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: optional,
  TEMPORAL_TLS_SERVER_NAME: optionalFormed(HOST_NAME),
  TEMPORAL_UI_URL: optionalFormed(HTTP_ADDRESS),
  /** Encrypt what Temporal stores, under ENCRYPTION_KEY. */
  TEMPORAL_ENCRYPTION: optionalFormed(SWITCH),
  TEMPORAL_CLI_PATH: optional,
  TASK_QUEUE: formed(WORD, 'docent'),

  // The model.
  ANTHROPIC_API_KEY: optionalFormed(WORD),
  /** Sent as `Authorization: Bearer` instead of the key, as gateways and hosted servers want it. */
  ANTHROPIC_AUTH_TOKEN: optionalFormed(WORD),
  ANTHROPIC_BASE_URL: optional,
  /** `offline` asks for the built-in rule-based model explicitly. */
  MODEL_PROVIDER: Type.Optional(choice(['anthropic', 'bedrock', 'vertex', 'offline'])),
  /** Of Bedrock; credentials are found as the AWS SDK finds them. */
  AWS_REGION: optionalFormed(REGION),
  /** Of Vertex; credentials are found as Google's library finds them. */
  CLOUD_ML_REGION: optionalFormed(REGION),
  ANTHROPIC_VERTEX_PROJECT_ID: optionalFormed(WORD),
  MODEL_SONNET: formed(WORD, 'claude-sonnet-5-5'),
  MODEL_OPUS: formed(WORD, 'claude-opus-5-5'),
  MODEL_ASSISTANT: formed(WORD, 'claude-sonnet-5-5'),
  /** Judges whether a change of code needs one of the docs; MODEL_SONNET if it is not set. */
  MODEL_GATE: optionalFormed(WORD),
  /** What the endpoint supports, if it is not to be found out: see shared/models/feature-names.ts. */
  MODEL_FEATURES: optional,
  /** Tokens that the endpoint accepts in one request, answer included, if not those of the model. */
  MODEL_CONTEXT_TOKENS: Type.Optional(Type.Integer({ minimum: 16_000 })),
  /** How much a model that thinks may think; without it, as the model does by default. */
  MODEL_EFFORT: Type.Optional(choice(EFFORTS)),
  /** By model id, JSON. */
  MODEL_EFFORTS: text('{}'),
  ASSISTANT_EFFORT: Type.Optional(choice(EFFORTS)),
  MODEL_DEFAULT: choice(['sonnet', 'opus'], 'sonnet'),
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
  OIDC_CLIENT_ID: optionalFormed(WORD),
  OIDC_CLIENT_SECRET: optional,
  /** The provider's name on the sign-in page. */
  OIDC_NAME: optional,

  /** Encrypts what the database keeps of secrets: the GitHub App created in the dashboard. */
  ENCRYPTION_KEY: Type.Optional(Type.String({ minLength: 32 })),
  /** Keys that were set before it, comma-separated: they decrypt. */
  ENCRYPTION_KEYS_BEFORE: formed(KEYS, ''),

  // Repository hosts.
  GITHUB_TOKEN: optionalFormed(WORD),
  GITHUB_APP_ID: optionalFormed(WORD),
  GITHUB_APP_PRIVATE_KEY: optional,
  /** With both, people connect the App's installations in the dashboard. */
  GITHUB_APP_CLIENT_ID: optionalFormed(WORD),
  GITHUB_APP_CLIENT_SECRET: optional,
  GITHUB_API_URL: formed(HTTP_ADDRESS, 'https://api.github.com'),
  /** Signs GitHub's deliveries to the API; without it there is no webhook. */
  GITHUB_WEBHOOK_SECRET: optional,
  /** The mention in a pull request comment that addresses the agent. */
  GITHUB_MENTION: formed(MENTION, '@docent'),
  /**
   * Shared by the API (which serves the built-in repository host) and the workers (which read it
   * over git HTTP).
   */
  LOCAL_HOST_URL: optionalFormed(HTTP_ADDRESS),
  LOCAL_HOST_TOKEN: optionalFormed(WORD),

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
  /** A job that waits for a person reminds of it after this long, and gives it up after that. */
  JOB_REMIND_AFTER_DAYS: Type.Number({ default: 1, exclusiveMinimum: 0 }),
  JOB_WAIT_DAYS: Type.Number({ default: 14, exclusiveMinimum: 0 }),
  JOB_MONTHLY_COST_LIMIT_USD: Type.Optional(Type.Number({ minimum: 0 })),
  /** Jobs are deleted this long after they were archived; without it they are kept. */
  JOB_RETENTION_DAYS: Type.Optional(Type.Number({ minimum: 0 })),
  /** The cost limit per calendar month of all jobs that one admin key made. */
  JOB_KEY_MONTHLY_COST_LIMIT_USD: Type.Optional(Type.Number({ minimum: 0 })),
  /** Continue as new after this many turns whatever Temporal suggests; 0 leaves it to Temporal. */
  JOB_CONTINUE_AS_NEW_AFTER_TURNS: integer(0, 0),

  // Brakes of automations, for each project.
  AUTOMATION_MAX_OPEN_PULL_REQUESTS: integer(3),
  AUTOMATION_MAX_RUNS_PER_HOUR: integer(10),
  AUTOMATION_MAX_CHECKS_PER_HOUR: integer(60),
  AUTOMATION_MONTHLY_COST_LIMIT_USD: Type.Number({ default: 50, minimum: 0 }),
  /** Runs are deleted this long after they ended; the brakes need those of a month. */
  AUTOMATION_RUN_RETENTION_DAYS: integer(400, 32),

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
  EMBEDDINGS: choice(['off', 'local'], 'off'),
  INDEX_INTERVAL_MINUTES: integer(60),

  /** A port for Prometheus, at /metrics; without it there is none. */
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  METRICS_HOST: formed(HOST_NAME, '127.0.0.1'),
  /** Where traces are sent by OTLP over HTTP; without one of them nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalFormed(HTTP_ADDRESS),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalFormed(HTTP_ADDRESS),
  OTEL_SERVICE_NAME: optional,

  // Workers.
  /** A port for a worker's /healthz and /readyz; without it there are none. */
  WORKER_HEALTH_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  WORKER_MAX_ACTIVITIES: integer(20),
  /** Model calls have slots of their own: they hold little but a connection. */
  WORKER_MAX_MODEL_CALLS: integer(50),
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
  if (first) throw new ConfigError(`${wrong(first.path.slice(1), first)}.`);
  checkConfig(config as Config);
  return config as Config;
}

/** Where people reach the API, without a trailing slash. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Config): string {
  return (PUBLIC_URL ?? `http://${HOST}:${PORT ?? 3000}`).replace(/\/+$/, '');
}

/** Whether a setting's value is never shown. */
export function isSecret(name: string): boolean {
  return /KEY|TOKEN|SECRET/.test(name);
}

/** Says what a value must be, and shows it where it is not a secret. */
function wrong(name: string, { schema, message, value }: ValueError): string {
  const must = (schema as { must?: string }).must ?? described(message);
  return isSecret(name) ? `${name} ${must}` : `${name} ${must}; got ${JSON.stringify(value)}`;
}

function described(message: string): string {
  return message
    .replace(/^Expected (integer|object|array)\b/, 'must be an $1')
    .replace(/^Expected (number|string|boolean)\b/, 'must be a $1')
    .replace(/ to be greater (than )?or equal to /, ' of at least ')
    .replace(/ to be less (than )?or equal to /, ' of at most ')
    .replace(/ to be greater than /, ' above ')
    .replace(/ length greater or equal to (\d+)$/, ' of at least $1 characters');
}
