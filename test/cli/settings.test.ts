import { workerEnvironment, workerSettings } from '../../cli/stack/worker-settings.ts';
import { readConfig } from '../../shared/config.ts';
import { localConfig } from '../../cli/connect/settings.ts';

describe('the settings in a shell that has loaded a demo.env', () => {
  const LOADED = {
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
    TEMPORAL_UI_URL: 'http://127.0.0.1:8233',
    EMBEDDED_TEMPORAL: '127.0.0.1:7233',
  };

  it("do not name another docent's embedded Temporal", () => {
    const { TEMPORAL_ADDRESS, TEMPORAL_UI_URL } = localConfig(LOADED);
    expect([TEMPORAL_ADDRESS, TEMPORAL_UI_URL]).toEqual([undefined, undefined]);
  });

  it('name the Temporal that the user names', () => {
    const own = {
      TEMPORAL_ADDRESS: 'temporal.internal:7233',
      TEMPORAL_UI_URL: 'http://temporal.internal',
    };
    expect(localConfig({ ...LOADED, ...own })).toMatchObject(own);
    expect(localConfig(own)).toMatchObject(own);
    expect(localConfig({}).TEMPORAL_ADDRESS).toBeUndefined();
  });
});

it('DATABASE_URL is an address, and is never shown', () => {
  expect(() => localConfig({ DATABASE_URL: 'docent:secret@db/docent' })).toThrow(
    /^DATABASE_URL must be an address such as postgres:\/\/user:password@host:5432\/database\.$/,
  );
  for (const DATABASE_URL of ['postgres://db/docent', 'postgresql://docent:secret@db:5432/docent'])
    expect(localConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
});

describe('the worker of docent start', () => {
  const api = {
    GITHUB_WEBHOOK_SECRET: 'webhook',
    GITHUB_APP_CLIENT_SECRET: 'client',
    OIDC_ISSUER: 'https://sign-on.test',
    OIDC_CLIENT_ID: 'docent',
    OIDC_CLIENT_SECRET: 'sign-on',
  };
  const both = {
    DATABASE_URL: 'postgres://docent:secret@127.0.0.1/docent',
    GITHUB_APP_PRIVATE_KEY: '-----BEGIN KEY-----\nlines\n-----END KEY-----',
    MODEL_PRICES: '{"m":{"input":1,"output":2,"cacheWrite":3,"cacheRead":4}}',
    JOB_MAX_TURN_MINUTES: '0.5',
    WORKER_SHUTDOWN_GRACE_SECONDS: '0',
  };

  it('has the settings of its parent but for secrets of the API, and the next port for metrics', () => {
    const settings = workerSettings(readConfig({ ...both, ...api, METRICS_PORT: '9464' }));
    expect(readConfig(settings)).toEqual(readConfig({ ...both, METRICS_PORT: '9465' }));
    expect(readConfig(workerSettings(readConfig(both)))).toEqual(readConfig(both));
    expect(() => workerSettings(readConfig({ ...both, METRICS_PORT: '65535' }))).toThrow(
      'choose a lower one',
    );
  });

  it('has of the environment what libraries read, and of clouds only the one in use', () => {
    const libraries = {
      PATH: '/bin',
      HOME: '/home/docent',
      NODE_EXTRA_CA_CERTS: 'ca.pem',
      https_proxy: 'http://proxy.test',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b',
    };
    const aws = { AWS_SECRET_ACCESS_KEY: 'aws' };
    const env = { ...libraries, ...aws, ...api, ...both, GOOGLE_APPLICATION_CREDENTIALS: 'g' };
    const bedrock = { MODEL_PROVIDER: 'bedrock', AWS_REGION: 'eu-west-1' };
    expect(workerEnvironment(readConfig({}), env)).toEqual(libraries);
    expect(workerEnvironment(readConfig(bedrock), env)).toEqual({ ...libraries, ...aws });
  });
});
