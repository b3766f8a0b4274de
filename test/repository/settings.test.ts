import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { readCompose } from '../../ops/cluster/compose.ts';
import { planCluster, TEMPORAL_PORTS } from '../../ops/cluster/plan.ts';
import { ConfigSchema, readConfig } from '../../shared/config.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const SETTINGS = Object.keys(ConfigSchema.properties);
const PROCESSES = ['migrate', 'api', 'worker'];
/** Each setting with a value that can be told from all others. */
const MARKED = Object.fromEntries(SETTINGS.map(name => [name, `<${name}>`]));
type Env = Record<string, string | undefined>;

/** The settings that do not arrive as the operator has set them. */
const lost = (env: Env) => SETTINGS.filter(name => env[name] !== MARKED[name]);
/** The list in a sentence of the docs. */
const listed = (sentence: RegExp) =>
  [...(sentence.exec(read('docs/operate/deploy.md'))?.[1] ?? '').matchAll(/`(\w+)`/g)].map(
    ([, name]) => name,
  );

describe('every setting arrives', () => {
  const decided = listed(/Compose decides these itself: (.*?)\./);

  it.each(PROCESSES)('from .env, in the container of %s', async name => {
    const { services } = await readCompose({ ...MARKED, POSTGRES_PASSWORD: 'x' });
    const { environment = {} } = services[name] ?? {};
    expect(lost(environment)).toEqual(decided);
    // What is decided there is a setting, and valid.
    readConfig(Object.fromEntries(decided.map(each => [each!, environment[each!]])));
  });

  it('from the environment of npm run cluster, in each of its processes', async () => {
    const compose = await readCompose({ ...MARKED, POSTGRES_PASSWORD: 'x' });
    const ports = Object.fromEntries(Object.keys(TEMPORAL_PORTS).map((each, i) => [each, i + 1]));
    const at = { host: '127.0.0.1', postgres: 20, temporal: ports, apis: [21], workers: [22] };
    const { migrate, apis, workers } = planCluster(compose, at, '/data');
    for (const { env } of [migrate, ...apis, ...workers]) expect(lost(env)).toEqual(decided);
  });

  it('from the settings and the secret of Kubernetes, in each container', () => {
    const folder = join(ROOT, 'ops', 'kubernetes');
    const containers = readdirSync(folder)
      .flatMap(name => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
      .map(document => document.toJS() as Resource)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => [
        ...(spec.template.spec.initContainers ?? []),
        ...spec.template.spec.containers,
      ]);
    expect(new Set(containers.map(({ args }) => args[0]))).toEqual(new Set(PROCESSES));
    for (const { args, env = [], envFrom } of containers) {
      expect(envFrom).toEqual([
        { configMapRef: { name: 'docent-settings' } },
        { secretRef: { name: 'docent-secrets' } },
      ]);
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      expect(lost({ ...MARKED, ...own })).toEqual(
        args[0] === 'worker' ? ['WORKER_HEALTH_PORT'] : [],
      );
    }
  });
});

describe('the recipes', () => {
  const blocks = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .flatMap(name =>
      [...read('docs', name).matchAll(/^```\w+\n(.*?)^```/gms)].map(([, code = '']) => ({
        name,
        code,
      })),
    )
    .filter(({ code }) => /LOCAL_HOST_TOKEN=/.test(code));

  it('give both secrets that API and workers share', () => {
    expect(blocks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['operate/deploy.md', 'operate/without-containers.md']),
    );
    for (const { name, code } of blocks)
      expect([name, code]).toEqual([name, expect.stringMatching(/ENCRYPTION_KEY=/)]);
    const { stringData } = parse(read('ops/kubernetes/secret.example.yaml')) as {
      stringData: object;
    };
    expect(Object.keys(stringData)).toEqual(
      expect.arrayContaining(['LOCAL_HOST_TOKEN', 'ENCRYPTION_KEY']),
    );
  });

  it('work: what deploy.md writes into .env is what compose needs, and valid', async () => {
    const [, file = ''] = /<<'ENV'\n(.*?)^ENV$/ms.exec(read('docs/operate/deploy.md')) ?? [];
    const { services } = await readCompose(parseEnv(file));
    for (const name of PROCESSES) {
      const config = readConfig(services[name]?.environment ?? {});
      expect(config).toMatchObject({
        LOCAL_HOST_TOKEN: expect.any(String),
        PUBLIC_URL: 'https://docent.example.com',
      });
      expect(config.ENCRYPTION_KEY).toBeDefined();
    }
  });
});

interface Container {
  args: string[];
  env?: { name: string; value: string }[];
  envFrom: object[];
}
interface Resource {
  kind: string;
  spec: { template: { spec: { initContainers?: Container[]; containers: Container[] } } };
}
