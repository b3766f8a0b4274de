import { rm } from 'node:fs/promises';
import { workerEnvironment, workerSettings } from '../../cli/stack/worker-settings.ts';
import { readConfig } from '../../shared/config.ts';
import { localConfig } from '../../cli/connect/settings.ts';
import { docent, temporaryFolder } from '../support/docent.ts';

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

describe('a command that starts something', () => {
  /** Nothing listens there. */
  const nowhere = {
    DATABASE_URL: 'postgres://127.0.0.1:1/docent',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  };
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['start', 'demo', 'migrate'])('%s names what only resembles a setting', async command => {
    const { code, stderr } = await docent(folder, [command], {
      ...nowhere,
      MODEL_DEFAULTS: 'opus',
    });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(
      /^MODEL_DEFAULTS is not a setting and has no effect\. Is MODEL_DEFAULT meant\?\n/,
    );
  });

  it.each(['start', 'demo', 'migrate', 'api', 'worker'])(
    '%s refuses a wrong one',
    async command => {
      const { code, stderr } = await docent(folder, [command], { ...nowhere, LOG_LEVEL: 'foo' });
      expect([code, stderr]).toEqual([
        2,
        'LOG_LEVEL must be trace, debug, info, warn, error or silent; got "foo".\n',
      ]);
    },
  );

  it('says which file of its certificates is not there', async () => {
    const wrong = { ...nowhere, TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/no/ca.pem' };
    const { code, stderr } = await docent(folder, ['api'], wrong);
    expect([code, stderr]).toEqual([
      2,
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH must be the path of a file; got "/no/ca.pem" (ENOENT).\n',
    ]);
  });

  it('says that its data folder cannot be one', async () => {
    const { code, stderr } = await docent('/dev/null/data', ['start']);
    expect([code, stderr]).toEqual([
      2,
      'DATA_DIR must be a folder that can be written; got "/dev/null/data" (ENOTDIR).\n',
    ]);
  });
});
