import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, holdPort } from '../../cli/embedded/ports.ts';
import { docent, type RunningDocent, startDocent, temporaryFolder } from '../support/docent.ts';
import { testDatabase, type TestDatabase, testTemporal } from '../support/services.ts';

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

  it('do a job together, and log no key', async () => {
    const running = start('api', ['api']);
    await untilReady(env['PUBLIC_URL'] as string);
    const project = (
      await docent(
        at('api'),
        ['project', 'add', 'Ours', '--repository', join(import.meta.dirname, '..', '..', 'docs')],
        env,
      )
    ).stdout.split(' ')[0] as string;
    const key = (await docent(at('api'), ['key', 'create', '--kind', 'admin'], env)).stdout.trim();
    const worker = start('worker', ['worker'], { MODEL_PROVIDER: 'offline' });
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
