import { ConfigSchema, readConfig } from '../../shared/config.ts';
import { settingsInUse } from '../../shared/settings-in-use.ts';
import { unknownSettings } from '../../shared/unknown-settings.ts';

/** A value that each setting refuses; more than one where several things can be wrong. */
const WRONG: Record<string, string[]> = {
  HOST: ['http://localhost', 'a b'],
  PORT: ['70000', 'http'],
  PUBLIC_URL: ['docent.example.com', 'https://'],
  TRUSTED_PROXIES: ['true', '10.0.0.0/33'],
  ALLOWED_HOSTS: ['https://docent.example.com'],
  ALLOWED_PRIVATE_NETWORKS: ['internal'],
  LOG_LEVEL: ['foo', 'INFO'],
  DATABASE_URL: ['docent:secret@db/docent'],
  TEMPORAL_ADDRESS: ['http://temporal:7233', 'temporal:frontend'],
  TEMPORAL_NAMESPACE: ['my namespace'],
  TEMPORAL_TLS: ['yes'],
  TEMPORAL_TLS_SERVER_NAME: ['https://temporal'],
  TEMPORAL_TLS_CLIENT_CERT_PATH: ['/alone.pem'],
  TEMPORAL_TLS_CLIENT_KEY_PATH: ['/alone.pem'],
  TEMPORAL_UI_URL: ['temporal:8233'],
  TASK_QUEUE: ['my queue'],
  ANTHROPIC_BASE_URL: ['localhost:11434'],
  MODEL_PROVIDER: ['openai'],
  AWS_REGION: ['US East'],
  CLOUD_ML_REGION: ['US East'],
  MODEL_FEATURES: ['nothing-known'],
  MODEL_PRICES: ['{', '{"m": 1}'],
  MODEL_EFFORTS: ['{"m": "huge"}'],
  OIDC_ISSUER: ['http://sign-on.example.com'],
  OIDC_CLIENT_ID: ['alone'],
  OIDC_CLIENT_SECRET: ['alone'],
  ENCRYPTION_KEY: ['short'],
  GITHUB_APP_PRIVATE_KEY: ['/path/of/key.pem'],
  GITHUB_API_URL: ['api.github.com'],
  GITHUB_MENTION: ['the agent'],
  LOCAL_HOST_URL: ['api:3000'],
  METRICS_HOST: ['http://0.0.0.0'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318'],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['collector:4318'],
  V1_SUNSET: ['soon'],
};
/** Any text is a name, and what a path leads to is seen when it is read. */
const ANY = [
  ...['DATA_DIR', 'TEMPORAL_CLI_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH', 'VALE_PATH'],
  ...['OIDC_NAME', 'OTEL_SERVICE_NAME', 'GITHUB_APP_CLIENT_SECRET', 'GITHUB_WEBHOOK_SECRET'],
];
const SETTINGS = Object.entries(ConfigSchema.properties);

/** A number or a choice refuses `nonsense`; a key or an id refuses a space. */
const wrongFor = (name: string, schema: { type?: unknown }) =>
  WRONG[name] ?? [schema.type === 'string' ? 'two words' : 'nonsense'];

describe('a wrong setting is a sentence that names it', () => {
  const rows = SETTINGS.filter(([name]) => !ANY.includes(name)).flatMap(([name, schema]) =>
    wrongFor(name, schema as { type?: unknown }).map(value => [name, value] as const),
  );

  it.each(rows)('%s=%s', (name, value) => {
    let message = '';
    try {
      readConfig({ [name]: value });
    } catch (error) {
      expect((error as Error).name).toBe('ConfigError');
      message = (error as Error).message;
    }
    expect(message).toMatch(
      new RegExp(`^[^.]*\\b${name}\\b.* (must|go together|needs)[ :].*\\.$`, 's'),
    );
    expect(message).not.toMatch(/Expected|undefined/);
    if (/KEY|TOKEN|SECRET|DATABASE_URL/.test(name) && !name.endsWith('_PATH'))
      expect(message).not.toContain(value);
  });

  it('says what it must be', () => {
    const say = (env: Record<string, string>) => () => readConfig(env);
    expect(say({ LOG_LEVEL: 'foo' })).toThrow(
      /^LOG_LEVEL must be trace, debug, info, warn, error or silent; got "foo"\.$/,
    );
    expect(say({ JOB_MAX_STEPS: '0' })).toThrow(
      /^JOB_MAX_STEPS must be an integer of at least 1; got 0\.$/,
    );
    expect(say({ ENCRYPTION_KEY: 'secret' })).toThrow(
      /^ENCRYPTION_KEY must be a string of at least 32 characters\.$/,
    );
  });

  it('takes what people set', () => {
    for (const env of [
      { HOST: '::1', METRICS_HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000/' },
      { TEMPORAL_ADDRESS: '[::1]:7233' },
      { TEMPORAL_ADDRESS: 'name.account.tmprl.cloud:7233', TEMPORAL_NAMESPACE: 'name.account' },
      { ALLOWED_HOSTS: 'docs.example.com, docent.internal:3000', GITHUB_MENTION: 'docs-bot' },
      { MODEL_SONNET: 'us.anthropic.claude-sonnet-5-5-v1:0', MODEL_OPUS: 'org/model@2026-01-01' },
    ])
      expect(readConfig(env)).toMatchObject(env);
  });
});

describe('a variable that resembles a setting is named', () => {
  it.each([
    ['MODEL_DEFAULTS', 'MODEL_DEFAULT'],
    ['ASISTANT_MAX_STREAMS', 'ASSISTANT_MAX_STREAMS'],
    ['MODEL_DEAFULT', 'MODEL_DEFAULT'],
    ['JOB_MAXSTEPS', 'JOB_MAX_STEPS'],
    ['MAX_JOB_STEPS', 'JOB_MAX_STEPS'],
    ['DOCENT_LOG_LEVEL', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['DATADIR', 'DATA_DIR'],
  ])('%s', (name, meant) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([
      `${name} is not a setting and has no effect. Is ${meant} meant?`,
    ]);
  });

  it('and others are not', () => {
    const others = [
      ...['PATH', 'HOME', 'HOSTNAME', 'HOSTS', 'PORTS', 'PWD', 'LOGNAME', 'LANG', 'TERM', 'SHLVL'],
      ...['POSTGRES_PASSWORD', 'POSTGRES_USER', 'AWS_ACCESS_KEY_ID', 'AWS_DEFAULT_REGION'],
      ...['GITHUB_ACTIONS', 'GITHUB_REPOSITORY', 'GITHUB_SHA', 'GITHUB_RUN_ID', 'NODE_ENV'],
      ...['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'],
      // Of demo.env, and what Kubernetes sets for a service.
      ...['BASE_URL', 'ADMIN_KEY', 'ASSISTANT_KEY', 'TEMPORAL_CLI', 'EMBEDDED_TEMPORAL', 'DOMAIN'],
      ...['DOCENT_API_PORT', 'DOCENT_API_SERVICE_HOST', 'TEMPORAL_FRONTEND_PORT'],
    ];
    expect(
      unknownSettings(Object.fromEntries([...others, 'LOG_LEVEL'].map(each => [each, 'x']))),
    ).toEqual([]);
  });
});

it('the settings that a process logs are those that are not defaults, without a secret', () => {
  const config = readConfig({
    PORT: '4000',
    MODEL_DEFAULT: 'opus',
    LOG_LEVEL: 'info',
    JOB_MAX_TOKENS: '7',
    ENCRYPTION_KEY: 'secret-of-thirty-two-characters-or-more',
    GITHUB_TOKEN: 'secret',
    OIDC_CLIENT_SECRET: 'secret',
    ...{ OIDC_CLIENT_ID: 'docent', OIDC_ISSUER: 'https://sign-on.example.com/acme' },
    DATABASE_URL: 'postgres://docent:secret@db:5432/docent?password=secret',
    ANTHROPIC_BASE_URL: 'https://user:secret@models.example.com/v1?key=secret',
  });
  for (const account of ['docent:1#2', 'docent:1/2', 'me@example:1/2', 'me@example:1?2'])
    expect(settingsInUse(readConfig({ DATABASE_URL: `postgres://${account}@db/x` }))).toEqual({
      DATABASE_URL: 'set',
    });
  expect(settingsInUse(config)).toEqual({
    ...{ PORT: 4000, MODEL_DEFAULT: 'opus', JOB_MAX_TOKENS: 7, OIDC_CLIENT_ID: 'docent' },
    ...{ ENCRYPTION_KEY: 'set', GITHUB_TOKEN: 'set', OIDC_CLIENT_SECRET: 'set' },
    OIDC_ISSUER: 'https://sign-on.example.com',
    DATABASE_URL: 'postgres://db:5432',
    ANTHROPIC_BASE_URL: 'https://models.example.com',
  });
});
