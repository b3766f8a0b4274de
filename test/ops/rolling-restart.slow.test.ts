import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheFolder } from '../../cli/embedded/temporal-cli.ts';
import { type Cluster, startCluster } from '../../ops/cluster/start-cluster.ts';
import { hasTemporalServer } from '../../ops/cluster/temporal-server.ts';
import { EDITOR } from '../support/replies.ts';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { RollingLoad } from './rolling-load.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const VERSION = /temporalio\/server:(\S+)/.exec(
  readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'),
)?.[1] as string;
/** Of a server that runs; without it, one on Postgres is needed, which `npm run cluster` builds. */
const ADDRESS = process.env['TEST_CLUSTER_TEMPORAL'];
const CAN_START = ADDRESS !== undefined || (await hasTemporalServer(defaultCacheFolder(), VERSION));
const MINUTES = 60_000;

(CAN_START ? describe : describe.skip)('a rolling restart under load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-rolling-'));
  let cluster: Cluster;
  let model: ScriptedModel;
  let load: RollingLoad;

  beforeAll(async () => {
    chmodSync(folder, 0o711); // Postgres runs as a user of its own if this runs as root
    // A job answers without an edit; a reader's answer takes a while.
    model = await startScriptedModel(({ tools }) =>
      tools?.some(({ name }) => name === EDITOR)
        ? { text: 'Hello.', delayMs: 300 }
        : { text: 'It says that widgets are blue.', silentMs: 1_500 },
    );
    cluster = await startCluster({
      ...{ folder: join(folder, 'cluster'), apis: 2, workers: 2, port: 0 },
      ...(ADDRESS && { temporalAddress: ADDRESS }),
      cacheFolder: defaultCacheFolder(),
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'sk-ant-test-not-a-real-key',
      },
      settings: () => ({ TASK_QUEUE: 'rolling', WORKER_SHUTDOWN_GRACE_SECONDS: '10' }),
      notify: sentence => process.stderr.write(`${sentence}\n`),
    });
    load = new RollingLoad(await prepare());
  }, 10 * MINUTES);
  afterAll(async () => {
    await cluster?.stop();
    await model?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 2 * MINUTES);

  const docent = async (...args: string[]) => {
    const program = join(ROOT, 'bin', 'docent.mjs');
    return (await run(process.execPath, [`--env-file=${cluster.envFile}`, program, ...args]))
      .stdout;
  };

  async function prepare() {
    const site = join(folder, 'site');
    await mkdir(site);
    writeFileSync(join(site, 'index.md'), '# Welcome\n\nThe widget is blue.\n');
    const added = await docent('project', 'add', 'Acme', '--repository', site);
    const admin = await docent('key', 'create', '--kind', 'admin');
    const assistant = await docent('key', 'create', '--kind', 'assistant', '--project', 'acme');
    return {
      url: cluster.url,
      projectId: /prj_\w+/.exec(added)?.[0] ?? '',
      domain: 'acme',
      adminKey: /svc_\w+/.exec(admin)?.[0] ?? '',
      assistantKey: /svc_\w+/.exec(assistant)?.[0] ?? '',
    };
  }

  /** SIGTERM, as compose and Kubernetes send it; done when the next one is ready. */
  async function restart(name: string): Promise<void> {
    const before = cluster.pids[name] as number;
    process.kill(before, 'SIGTERM');
    await until(`${name} is back`, () => cluster.pids[name] !== before, 3 * MINUTES);
  }

  it(
    'of each API and worker: every request is answered, and streams of events go on',
    async () => {
      const running = load.start();
      await until(
        'everything was asked once',
        () => Object.keys(load.asked).length === 5,
        2 * MINUTES,
      );
      expect(load.failures).toEqual([]);
      const names = Object.keys(cluster.pids).filter(name => /^(api|worker)-/.test(name));
      expect(names).toHaveLength(4);
      for (const name of names) await restart(name);
      load.stop();
      await running;
      console.log(load.asked, `${load.cutStreams} streams of events opened again`);
      expect(load.failures).toEqual([]);
      expect(load.asked['job']).toBeGreaterThan(names.length);
    },
    15 * MINUTES,
  );
});
