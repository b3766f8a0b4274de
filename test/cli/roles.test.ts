import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, holdPort } from '../../cli/embedded/ports.ts';
import { mintKey } from '../../shared/secrets/api-keys.ts';
import { docent, type RunningDocent, startDocent, temporaryFolder } from '../support/docent.ts';
import { testDatabase, type TestDatabase, testTemporal } from '../support/services.ts';
import { slowly } from '../support/slow.ts';

/** A folder of a few pages. */
const FOLDER = join(import.meta.dirname, '../../docs/assistant');

// As in production: API and worker are processes of their own, which share nothing but Postgres and
// Temporal.
describe('docent api and docent worker', () => {
  let folder: string;
  let db: TestDatabase;
  let env: Record<string, string>;
  const started: RunningDocent[] = [];

  beforeAll(async () => {
    folder = await temporaryFolder();
    db = await testDatabase();
    const port = String(await freePort('127.0.0.1'));
    env = {
      DATABASE_URL: db.url,
      TEMPORAL_ADDRESS: testTemporal().address,
      TASK_QUEUE: `roles-${randomBytes(4).toString('hex')}`,
      PORT: port,
      LOCAL_HOST_URL: `http://127.0.0.1:${port}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOCAL_HOST_TOKEN: randomBytes(20).toString('hex'),
    };
  });
  afterAll(async () => {
    for (const each of started) each.process.kill('SIGKILL');
    await Promise.all(started.map(each => each.ended));
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const at = (name: string) => join(folder, name);
  function start(name: string, args: string[], more: Record<string, string> = {}): RunningDocent {
    const running = startDocent(at(name), args, { ...env, ...more });
    started.push(running);
    return running;
  }

  it('find the database migrated', async () => {
    expect((await docent(at('api'), ['migrate'], env)).stdout).toBe(
      'The database is up to date.\n',
    );
  });

  it('a worker without a model refuses to start, and says what to set', async () => {
    const { code, stderr } = await docent(at('worker'), ['worker'], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('ANTHROPIC_API_KEY is not set')]);
  });

  it('a wrong setting is named in one sentence', async () => {
    const { code, stderr } = await docent(at('api'), ['api'], { ...env, PORT: 'http' });
    expect([code, stderr]).toEqual([2, 'PORT must be an integer; got "http".\n']);
  });

  it('an API whose port is taken says so, and ends', async () => {
    const held = await holdPort('127.0.0.1', 0);
    const { code, stderr } = await docent(at('api'), ['api'], { ...env, PORT: String(held.port) });
    await held.release();
    expect([code, stderr]).toEqual([
      2,
      `PORT ${held.port} is taken on 127.0.0.1. Stop what listens there, or set PORT to another.\n`,
    ]);
  });

  slowly(
    'a worker waits for a Temporal that is not there yet, and reports when it is ready',
    async () => {
      const [port, health] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
      const worker = start('early', ['worker'], {
        MODEL_PROVIDER: 'offline',
        TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
        WORKER_HEALTH_PORT: String(health),
      });
      const status = async (path: string) =>
        (await fetch(`http://127.0.0.1:${health}${path}`).catch(() => undefined))?.status;
      await worker.prints(/Temporal cannot be reached at 127\.0\.0\.1:\d+: waiting for it/);
      expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
      const [host = '', temporalPort] = testTemporal().address.split(':');
      const server = createServer(socket => {
        const upstream = connect(Number(temporalPort), host);
        socket.pipe(upstream).pipe(socket);
        for (const each of [socket, upstream]) each.on('error', () => each.destroy());
      }).listen(port, '127.0.0.1');
      while ((await status('/readyz')) !== 200) await delay(100);
      worker.process.kill('SIGTERM');
      expect((await worker.ended).code).toBe(0);
      server.close();
    },
    60_000,
  );

  slowly('an API opens no more connections to Postgres than DATABASE_POOL_SIZE', async () => {
    const open = async () => {
      const { rows } = await db.pool.query<{ count: number }>(
        `select count(*) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
      return rows[0]!.count;
    };
    const before = await open();
    const running = start('pool', ['api'], { DATABASE_POOL_SIZE: '6' });
    const url = env['PUBLIC_URL'] as string;
    await untilReady(url);
    const headers = { authorization: `Bearer ${mintKey('admin').token}` };
    const answered = new AbortController();
    const asked = Promise.all(
      Array.from({ length: 400 }, async (_, i) => {
        const path = i % 2 === 0 ? '/readyz' : '/v2/agent/prj_x/jobs';
        await (await fetch(`${url}${path}`, { headers })).arrayBuffer();
      }),
    ).finally(() => answered.abort());
    let most = 0;
    while (!answered.signal.aborted) most = Math.max(most, await open());
    await asked;
    expect(most - before).toBeLessThanOrEqual(6);
    expect(most - before).toBeGreaterThan(2);
    running.process.kill('SIGTERM');
    await running.ended;
  });

  it('do a job together, and log no key', async () => {
    const [ofApi, ofWorker] = [await metricsPort(), await metricsPort()];
    const running = start('api', ['api'], ofApi);
    await untilReady(env['PUBLIC_URL'] as string);
    const project = (
      await docent(at('api'), ['project', 'add', 'Ours', '--repository', FOLDER], env)
    ).stdout.split(' ')[0] as string;
    const key = (await docent(at('api'), ['key', 'create', '--kind', 'admin'], env)).stdout.trim();
    const worker = start('worker', ['worker'], { MODEL_PROVIDER: 'offline', ...ofWorker });
    const caller = { BASE_URL: env['PUBLIC_URL'] as string, ADMIN_KEY: key, PROJECT_ID: project };
    const { code, stdout } = await docent(
      at('caller'),
      [
        'job',
        'create',
        'Add a page apart.md titled "Apart" with the text "Two processes."',
        '--wait',
      ],
      caller,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('/pulls/')]);

    expect((await fetch(`${env['PUBLIC_URL']}/readyz?for=jobs`)).status).toBe(200);
    const doctor = await docent(at('api'), ['doctor'], env);
    expect(doctor.stdout).toMatch(/ok +database +has the tables of this release/);
    expect(doctor.stdout).toMatch(/ok +worker +one polls/);
    expect(doctor.stdout).toMatch(/ok +fairness +each project has its turn/);
    await expectMetrics(ofApi.METRICS_PORT, ofWorker.METRICS_PORT);
    worker.process.kill('SIGTERM');
    running.process.kill('SIGTERM');
    const ended = await Promise.all([worker.ended, running.ended]);
    expect(ended.map(each => each.code)).toEqual([0, 0]);
    for (const { stdout: log, stderr } of ended) {
      expect(log).not.toContain(key);
      expect(log).not.toContain(env['LOCAL_HOST_TOKEN'] as string);
      expect(stderr).not.toContain(key);
    }
  }, 120_000);
});

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await delay(100);
  }
}

async function metricsPort(): Promise<{ METRICS_PORT: string }> {
  return { METRICS_PORT: String(await freePort('127.0.0.1')) };
}

/** What the files in ops/ and the docs name is exported, and no label holds what is unbounded. */
async function expectMetrics(...ports: string[]): Promise<void> {
  const texts = await Promise.all(
    ports.map(async port => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  expect(texts[0]).toMatch(/docent_http_request_seconds_count\{.*route="\/v2\/agent\/:/);
  expect(texts[0]).toMatch(/docent_jobs_active\{state="active"\} 0/);
  expect(texts[1]).toMatch(/docent_job_turns_total\{outcome="published",code=""\} 1/);
  expect(texts[1]).toMatch(
    /docent_model_calls_total\{purpose="agent",model="[^"]+",outcome="ok"\}/,
  );
  expect(texts.join('')).not.toMatch(/(job|prj|key|call)_[0-9a-z]{20}/);

  const exported = new Set(
    texts.flatMap(text =>
      [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    ),
  );
  const named = (path: string): string[] =>
    readFileSync(join(import.meta.dirname, '../..', path), 'utf8').match(
      /\b(docent|temporal|nodejs|process)_[a-z0-9_]+/g,
    ) ?? [];
  const files = [
    'ops/prometheus/alerts.yml',
    'ops/grafana/dashboards/docent.json',
    'docs/operate/monitoring.md',
  ];
  for (const path of files) expect(named(path).filter(name => !exported.has(name))).toEqual([]);
  const documented = named('docs/operate/monitoring.md');
  const own = [...exported].filter(name => /^docent_(?!.*_(bucket|count|sum)$)/.test(name));
  expect(own.filter(name => !documented.includes(name))).toEqual([]);
}
