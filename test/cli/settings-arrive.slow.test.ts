import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { parseAllDocuments } from 'yaml';
import { freePort } from '../../cli/embedded/ports.ts';
import { defaultCacheFolder } from '../../cli/embedded/temporal-cli.ts';
import { readCompose } from '../../ops/cluster/compose.ts';
import { startCluster } from '../../ops/cluster/start-cluster.ts';
import { ConfigSchema, readConfig } from '../../shared/config.ts';
import { OF_THE_API } from '../../cli/stack/worker-settings.ts';
import { settingsInUse } from '../../shared/settings-in-use.ts';
import { ROOT } from '../support/checkout.ts';
import { INSTALLED, startDocent, temporaryFolder } from '../support/docent.ts';
import { fakeModel } from '../support/fake-model.ts';
import { runs } from '../support/processes.ts';
import { type TestDatabase, testDatabase, testTemporal } from '../support/services.ts';

type Values = Record<string, string>;

const NOBODY = 'http://127.0.0.1:9';
/** What the form of a setting alone does not say. */
const CHOSEN: Values = {
  ...{ HOST: 'localhost', LOG_LEVEL: 'debug', MODEL_PROVIDER: 'anthropic', TEMPORAL_TLS: 'false' },
  ...{ TRUSTED_PROXIES: '10.0.0.0/8', ALLOWED_PRIVATE_NETWORKS: '10.1.0.0/16' },
  ...{ MODEL_FEATURES: 'none', MODEL_EFFORTS: '{"m":"low"}', V1_SUNSET: '2031-06-30' },
  MODEL_PRICES: '{"m":{"input":1,"output":1,"cacheWrite":1,"cacheRead":1}}',
  ...{ ANTHROPIC_BASE_URL: NOBODY, OIDC_ISSUER: NOBODY },
  ...{ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/x', TEMPORAL_ADDRESS: '127.0.0.1:9' },
  GITHUB_APP_PRIVATE_KEY: generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString(),
};
interface Schema {
  default?: unknown;
  minimum?: number;
  anyOf?: { const: string }[];
}
/** For each setting a value that is valid and not its default. */
const OTHERS: Values = Object.fromEntries(
  Object.entries(ConfigSchema.properties as Record<string, Schema>).map(([name, schema]) => {
    const number = Number(schema.default ?? schema.minimum ?? 0) + 1;
    const words = schema.anyOf?.map(each => each.const) ?? [];
    const text = `another-${name.toLowerCase().replaceAll('_', '-')}-than-by-default`;
    const value = [CHOSEN[name], ...words, text, NOBODY, `${number}`].find(
      each =>
        each !== undefined &&
        each !== schema.default &&
        Value.Check(schema as never, Value.Convert(schema as never, each)),
    );
    return [name, value!];
  }),
);

const inOrder = (names: readonly string[]) =>
  Object.keys(OTHERS).filter(name => names.includes(name));

interface Resource {
  kind: string;
  metadata?: { name: string };
  data: Values;
  spec: {
    template: {
      spec: { containers: { args: string[]; env?: { name: string; value: string }[] }[] };
    };
  };
}

/** What a process says that it uses, in the last such line of its log. */
function said(log: string): { pid: number; settings: Record<string, unknown> } {
  const lines = log.split('\n').filter(each => each.includes('that are not defaults'));
  return JSON.parse(lines.at(-1) ?? '{}') as { pid: number; settings: Record<string, unknown> };
}
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
/** What the docs say that compose decides. */
const DECIDED = [
  .../Compose decides these itself: (.*?)\./
    .exec(read('docs', 'operate', 'deploy.md'))![1]!
    .matchAll(/`(\w+)`/g),
].map(([, name]) => name!);

describe('every setting arrives, in processes that run', () => {
  const table: Record<string, Record<string, unknown>> = {};
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await testDatabase();
  });
  afterAll(async () => {
    const line = (first: string, cells: unknown[]) =>
      [first.padEnd(42), ...cells.map(each => String(each).padEnd(22))].join(' ').trimEnd();
    const columns = Object.values(table);
    const rows = Object.keys(OTHERS).map(name =>
      line(
        name,
        columns.map(each => each[name]),
      ),
    );
    process.stdout.write(`\n${[line('', Object.keys(table)), ...rows].join('\n')}\n`);
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What an operator sets, all of it, with a data folder and a Temporal namespace for it. */
  async function operator(name: string): Promise<Values> {
    const ports = await Promise.all([1, 2, 3].map(() => freePort('127.0.0.1')));
    await fakeModel(join(folder, name));
    return {
      ...OTHERS,
      ...{ PORT: `${ports[0]}`, METRICS_PORT: `${ports[1]}`, WORKER_HEALTH_PORT: `${ports[2]}` },
      ...{ DATA_DIR: join(folder, name), METRICS_HOST: '127.0.0.2' },
      ...{ TEMPORAL_NAMESPACE: `of-${name}`, TEMPORAL_CLI_PATH: testTemporal().cliPath },
    };
  }
  /** Where the services are, with the namespace, as an operator would have made it. */
  function services({ TEMPORAL_NAMESPACE: name }: Values): Values {
    const { cliPath, address } = testTemporal();
    const args = ['operator', 'namespace', 'create', '-n', name!, '--address', address];
    execFileSync(cliPath, args, { stdio: 'ignore' });
    return { DATABASE_URL: database.url, TEMPORAL_ADDRESS: address };
  }
  /** The settings that a process has otherwise than the operator has set them. */
  function otherwise(column: string, log: string, values: Values): string[] {
    const { pid, settings } = said(log);
    expect([column, runs(pid)]).toEqual([column, true]);
    const wanted = settingsInUse(readConfig(values));
    expect(Object.keys(OTHERS).filter(name => !(name in wanted))).toEqual([]);
    const isAsSet = (name: string) => settings[name] === wanted[name];
    table[column] = Object.fromEntries(
      Object.keys(OTHERS).map(name => [name, isAsSet(name) ? 'as set' : (settings[name] ?? '-')]),
    );
    return Object.keys(OTHERS).filter(name => !isAsSet(name));
  }
  /** Runs it until it is ready, and then what looks at its output. */
  async function withDocent(args: string[], env: Values, look: (log: string) => void) {
    const running = startDocent(env['DATA_DIR']!, args, env, INSTALLED);
    try {
      await running.prints(/Docent is ready|listening at|"state":"RUNNING"/);
      look(running.output());
    } finally {
      running.process.kill('SIGTERM');
      await running.ended;
    }
  }

  it.each(['api', 'worker'])(
    'of docker compose: %s',
    async name => {
      const column = `compose-${name}`;
      const values = await operator(column);
      const compose = await readCompose({ ...values, POSTGRES_PASSWORD: 'x' });
      // What a container has of its own: addresses, ports, a folder.
      const { PORT, WORKER_HEALTH_PORT, DATA_DIR } = await operator(`${column}-here`);
      const own = { HOST: '127.0.0.2', PORT, WORKER_HEALTH_PORT, DATA_DIR, ...services(values) };
      const env = { ...compose.services[name]!.environment, ...(own as Values) };
      await withDocent([name], env, log =>
        expect(otherwise(column, log, values)).toEqual(inOrder(DECIDED)),
      );
    },
    120_000,
  );

  it('of Kubernetes: each container of each deployment', async () => {
    const documents = readdirSync(join(ROOT, 'ops', 'kubernetes')).flatMap(name =>
      parseAllDocuments(read('ops', 'kubernetes', name)).map(each => each.toJS() as Resource),
    );
    const given = documents.find(({ metadata }) => metadata?.name === 'docent-settings')!.data;
    for (const { metadata, spec } of documents.filter(({ kind }) => kind === 'Deployment'))
      for (const { args, env = [] } of spec.template.spec.containers) {
        const { name: column } = metadata!;
        const values = await operator(column);
        Object.assign(values, services(values));
        const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        await withDocent(args, { ...given, ...values, ...own }, log =>
          expect(otherwise(column, log, values)).toEqual(Object.keys(own)),
        );
      }
    expect(Object.keys(table)).toEqual(
      expect.arrayContaining(['docent-api', 'docent-repository-host', 'docent-worker']),
    );
  }, 240_000);

  it('of npm run cluster: each API and worker', async () => {
    const names = ['api-1', 'api-2', 'worker-1'];
    const values = await operator('cluster');
    for (const name of names) await fakeModel(join(folder, 'cluster', name));
    const cluster = await startCluster({
      ...{ folder: join(folder, 'cluster'), apis: 2, workers: 1, port: 0 },
      cacheFolder: defaultCacheFolder(),
      env: { ...process.env, ...values },
      temporalAddress: testTemporal().address,
      notify: () => {},
    });
    try {
      for (const [i, name] of names.entries()) {
        const log = readFileSync(join(folder, 'cluster', 'logs', `${name}.log`), 'utf8');
        const metrics = i === 0 ? [] : ['METRICS_PORT'];
        expect(otherwise(`cluster-${name}`, log, values)).toEqual(
          inOrder([...DECIDED, 'PUBLIC_URL', 'TRUSTED_PROXIES', ...metrics]),
        );
      }
    } finally {
      await cluster.stop();
    }
  }, 240_000);

  it('of docent start: its API and its worker', async () => {
    const values = await operator('start');
    Object.assign(values, services(values));
    await withDocent(['start'], values, () => {
      const log = (name: string) => readFileSync(join(folder, 'start', 'logs', name), 'utf8');
      expect(otherwise('start-api', log('docent.log'), values)).toEqual(['API_DRAIN_SECONDS']);
      expect(otherwise('start-worker', log('worker.log'), values)).toEqual(
        inOrder([...OF_THE_API, 'METRICS_PORT']),
      );
    });
  }, 240_000);
});
