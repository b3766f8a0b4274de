import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Compose, readCompose } from '../../ops/cluster/compose.ts';
import { ConfigSchema, readConfig } from '../../shared/config.ts';
import { type Planned, planCluster, TEMPORAL_PORTS } from '../../ops/cluster/plan.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const names = [
  ...[...text.matchAll(/\$\{(\w+):/g)].map(([, name]) => name as string),
  ...Object.keys(ConfigSchema.properties),
];
/** What .env holds: each variable has its own name as its value, so that it can be told. */
const given = Object.fromEntries(names.map(name => [name, `<${name}>`]));
const document = parse(text.replaceAll(/\$\{(\w+):[^}]*\}/g, '<$1>').replaceAll('$$', '$'), {
  merge: true,
}) as {
  services: Record<
    string,
    { environment?: Record<string, string>; env_file?: string[]; command?: string[] }
  >;
  configs: Record<string, { content: string }>;
};

const AT = {
  host: '127.0.0.1',
  postgres: 20001,
  temporal: Object.fromEntries(
    Object.keys(TEMPORAL_PORTS).map((name, i) => [name, 20002 + i] as const),
  ),
  apis: [20021, 20022],
  workers: [20031, 20032, 20033],
};
/** What containers have in place of our addresses and folders, process by process. */
const INSTEAD: Record<string, string> = {
  '127.0.0.1:20001': 'postgres:5432',
  '127.0.0.1:20002': 'temporal:7233',
  '127.0.0.1:20021': 'api:3000',
};
const OWN: Record<string, string[]> = {
  schema: ['SQL_HOST', 'SQL_PORT'],
  temporal: ['POSTGRES_SEEDS', 'DB_PORT', 'BIND_ON_IP', 'DYNAMIC_CONFIG_FILE_PATH'],
  namespace: [],
  ours: ['HOST', 'PORT', 'DATA_DIR', 'WORKER_HEALTH_PORT'],
};
const FOLDER = '/data';

describe('npm run cluster', () => {
  let compose: Compose;
  let plan: ReturnType<typeof planCluster>;

  beforeAll(async () => {
    compose = await readCompose(given);
    plan = planCluster(compose, AT, FOLDER);
  });

  /** The settings without those that each machine has of its own, with containers' addresses. */
  const comparable = ({ env }: Planned, own: string[] = []) =>
    Object.fromEntries(
      Object.entries(env)
        .filter(([name]) => !own.includes(name))
        .map(([name, value]) => [
          name,
          Object.entries(INSTEAD).reduce(
            (all, [ours, theirs]) => all.replaceAll(ours, theirs),
            value,
          ),
        ]),
    );
  const inCompose = (service: string, own: string[] = []) =>
    Object.fromEntries(
      Object.entries({
        ...(document.services[service]?.env_file && given),
        ...document.services[service]?.environment,
      }).filter(([name]) => !own.includes(name)),
    );

  it('starts two APIs and three workers with exactly the settings of docker-compose.yml', () => {
    expect([plan.apis.length, plan.workers.length]).toEqual([2, 3]);
    const image = { NODE_ENV: 'production' };
    for (const [processes, own] of [
      [[plan.migrate], OWN['ours']],
      [plan.apis, OWN['ours']],
      [plan.workers, OWN['ours']],
    ] as const)
      for (const each of processes) {
        expect(comparable(each, own)).toEqual({ ...inCompose(each.service, own), ...image });
        expect(each.args).toEqual(document.services[each.service]?.command);
        expect(Object.keys(each.env)).toEqual(expect.arrayContaining([...(own ?? [])]));
      }
    expect(plan.apis[0]?.env['TEMPORAL_ADDRESS']).toBe('127.0.0.1:20002');
    expect(plan.workers[2]?.env['LOCAL_HOST_URL']).toBe('http://127.0.0.1:20021');
    expect(plan.workers[0]?.env['ANTHROPIC_API_KEY']).toBe('<ANTHROPIC_API_KEY>');
  });

  it('gives Temporal, its schema and its namespace the same settings, too', () => {
    const ports = /^(FRONTEND|HISTORY|MATCHING|WORKER)_(GRPC|HTTP|MEMBERSHIP)_PORT$/;
    const { schema, temporal, namespace } = plan;
    const inside = Object.keys(temporal.env).filter(name => ports.test(name));
    expect(comparable(temporal, [...OWN['temporal']!, ...inside])).toEqual(
      inCompose('temporal', OWN['temporal']),
    );
    expect(temporal.env['TEMPORAL_ALLOW_NO_AUTH']).toBe('true');
    expect(comparable(schema, OWN['schema'])).toEqual(inCompose('temporal-schema', OWN['schema']));
    expect(comparable(namespace)).toEqual(inCompose('temporal-namespace'));
    for (const each of [schema, namespace])
      expect(each.args.join(' ')).toBe(
        ['/bin/sh', '-euc', ...(document.services[each.service]?.command ?? [])].join(' '),
      );
    expect(compose.configs['temporal-dynamic']).toBe(document.configs['temporal-dynamic']?.content);
    expect(`temporalio/server:${compose.services['temporal']?.imageTag}`).toBe(
      (document.services['temporal'] as { image?: string }).image,
    );
  });

  it('gives Postgres the settings of its command, and no two processes one port or folder', () => {
    expect(document.services['postgres']?.command?.join(' ')).toBe(
      ['postgres', ...Object.entries(plan.postgres).map(pair => `-c ${pair.join('=')}`)].join(' '),
    );
    const ours = [...plan.apis, ...plan.workers];
    expect(new Set(ours.map(({ env }) => env['DATA_DIR'])).size).toBe(ours.length);
    const ports = [
      ...Object.entries(plan.temporal.env).filter(([name]) => /_PORT$/.test(name)),
      ...plan.apis.map(({ env }) => ['PORT', env['PORT']]),
      ...plan.workers.map(({ env }) => ['PORT', env['WORKER_HEALTH_PORT']]),
    ].map(([, port]) => port);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('lets Postgres accept the connections of all of them', () => {
    const ours = readConfig({}).DATABASE_POOL_SIZE;
    const { SQL_MAX_CONNS: main, SQL_VIS_MAX_CONNS: lists } = plan.temporal.env;
    const temporal = 4 * (Number(main) + Number(lists));
    const commandsAndReserved = 13;
    expect(
      temporal + ours * (plan.apis.length + plan.workers.length) + commandsAndReserved,
    ).toBeLessThanOrEqual(Number(plan.postgres['max_connections']));
  });

  it('stops at a variable that compose asks for', async () => {
    await expect(readCompose({ ...given, LOCAL_HOST_TOKEN: undefined })).rejects.toThrow(
      'docker-compose.yml: set LOCAL_HOST_TOKEN.',
    );
  });
});
