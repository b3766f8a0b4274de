import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { freePort } from '../../cli/embedded/ports.ts';
import { readDemoEnv } from '../../cli/stack/demo-env.ts';
import { ROOT } from '../support/checkout.ts';
import { docent, INSTALLED, startDocent, temporaryFolder } from '../support/docent.ts';
import { jobCalls } from '../support/job-calls.ts';
import { argumentsOf, childrenOf, processesOf } from '../support/processes.ts';
import { testDatabase, testTemporal, testTemporalCli } from '../support/services.ts';
import { until } from '../support/until.ts';

const READY = /Docent is ready[^]*Ctrl-C stops everything/;
const CTRL_C = '\x03';
/** For a stop in order, on a busy machine. */
const SOON_MS = 30_000;

interface Started {
  process: ChildProcess;
  output(): string;
  /** With the processes that it has left, at the moment when it was gone. */
  ended: Promise<{ left: number[]; afterMs: number }>;
}

// One data folder through all of it: what a stop loses, the next start does not find.
describe('npm start', () => {
  let folder: string;
  let dataDir: string;
  const jobs: string[] = [];
  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder, 'data');
  });
  afterAll(async () => {
    for (const pid of processesOf(dataDir)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  function start({ inTerminal = false } = {}): Started {
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TERM: 'dumb',
      TEMPORAL_CLI_PATH: testTemporalCli(),
      DATA_DIR: dataDir,
      WORKER_SHUTDOWN_GRACE_SECONDS: '1',
    };
    const [command, ...args] = inTerminal
      ? ['script', '--quiet', '--flush', '--return', '--command', 'npm start', '/dev/null']
      : ['npm', 'start'];
    const child = spawn(command, args, { cwd: ROOT, env, detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const began = Date.now();
    const ended = new Promise<{ left: number[]; afterMs: number }>(resolve =>
      child.once('exit', () =>
        resolve({ left: processesOf(dataDir), afterMs: Date.now() - began }),
      ),
    );
    return { process: child, output: () => output, ended };
  }

  const ready = async (started: Started) => {
    await until('it is ready', () => READY.test(started.output()), 60_000);
    return started;
  };
  const calls = () => {
    const { BASE_URL = '', ADMIN_KEY = '', PROJECT_ID = '' } = readDemoEnv(dataDir);
    return jobCalls(BASE_URL, ADMIN_KEY, PROJECT_ID);
  };
  const model = () => {
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as {
      pid: number;
    };
    return childrenOf(pid).find(each => argumentsOf(each).join(' ').includes('offline-model'))!;
  };
  /** Jobs that wait for the model; returns how to let it answer. */
  async function jobsAtWork(count: number): Promise<() => void> {
    const stopped = model();
    process.kill(stopped, 'SIGSTOP');
    for (let i = 0; i < count; i++) {
      const page = `docs/stop-${jobs.length}.md`;
      const { id } = await calls().create(`Add a page ${page} titled "Stop" with the text "Kept."`);
      jobs.push(id);
    }
    await delay(500);
    return () => process.kill(stopped, 'SIGCONT');
  }
  const allJobsCompleted = async () => {
    for (const id of jobs)
      expect(await calls().rest(id)).toMatchObject({
        status: 'completed',
        prLink: expect.any(String),
      });
  };
  const signals = {
    group: (started: Started) => process.kill(-(started.process.pid as number), 'SIGTERM'),
    single: (started: Started) => process.kill(started.process.pid as number, 'SIGTERM'),
    ctrlC: (started: Started) => started.process.stdin?.write(CTRL_C),
  };

  it.each([
    ['group', 100],
    ['single', 400],
    ['ctrlC', 700],
    ['single', 1_200],
    ['group', 2_000],
    ['ctrlC', 3_000],
    ['single', 4_000],
  ] as const)(
    '%s after %i ms, while it starts: nothing is left',
    async (how, afterMs) => {
      const started = start({ inTerminal: how === 'ctrlC' });
      await delay(afterMs);
      signals[how](started);
      const { left, afterMs: took } = await started.ended;
      expect(left).toEqual([]);
      expect(took - afterMs).toBeLessThan(SOON_MS);
    },
    90_000,
  );

  it('SIGTERM to its group while jobs work: nothing is left, nothing is lost', async () => {
    const started = await ready(start());
    const goOn = await jobsAtWork(2);
    signals.group(started);
    await until('it says what it waits for', () => started.output().includes('Stopping'), 1_500);
    expect(started.output()).toContain('Stopping: 2 jobs continue at the next start.');
    goOn();
    expect((await started.ended).left).toEqual([]);
    expect(started.output()).not.toContain('Stopping at once');
  }, 180_000);

  it('SIGTERM to npm alone', async () => {
    const started = await ready(start());
    await allJobsCompleted();
    const goOn = await jobsAtWork(1);
    signals.single(started);
    await until(
      'it says what it waits for',
      () => started.output().includes('1 job continues'),
      1_500,
    );
    goOn();
    expect((await started.ended).left).toEqual([]);
  }, 180_000);

  it('Ctrl-C once: it ends in order, though npm passes the signal on', async () => {
    const started = await ready(start({ inTerminal: true }));
    await allJobsCompleted();
    signals.ctrlC(started);
    await until(
      'it says so',
      () => /Stopping … Ctrl-C again stops at once/.test(started.output()),
      1_500,
    );
    expect((await started.ended).left).toEqual([]);
    expect(started.output()).not.toContain('Stopping at once');
    const log = readFileSync(join(dataDir, 'logs', 'worker.log'), 'utf8')
      .trim()
      .split('\n');
    expect(JSON.parse(log.at(-1)!)).toMatchObject({ state: 'STOPPED' });
  }, 180_000);

  it('Ctrl-C twice: it stops now, with a job that goes on at the next start', async () => {
    const started = await ready(start({ inTerminal: true }));
    await jobsAtWork(1); // and the model never answers: in order, this would take longer
    signals.ctrlC(started);
    await delay(700);
    const pressed = Date.now();
    signals.ctrlC(started);
    expect((await started.ended).left).toEqual([]);
    expect(Date.now() - pressed).toBeLessThan(12_000);
    expect(started.output()).toContain('Stopping at once.');
    const again = await ready(start());
    await allJobsCompleted();
    signals.group(again);
    expect((await again.ended).left).toEqual([]);
  }, 180_000);
});

describe('docent api and docent worker, as in containers', () => {
  it('end within their grace time on one SIGTERM, and the job goes on at the next worker', async () => {
    const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), {
      merge: true,
    }) as { services: Record<string, { stop_grace_period?: string }> };
    const graceMs = Number.parseInt(services['worker']!.stop_grace_period!, 10) * 1000;
    const folder = await temporaryFolder();
    const database = await testDatabase();
    const port = await freePort('127.0.0.1');
    const url = `http://127.0.0.1:${port}`;
    const env = {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: testTemporal().address,
      TASK_QUEUE: `stop-${port}`,
      PORT: String(port),
      PUBLIC_URL: url,
      LOCAL_HOST_URL: url,
      LOCAL_HOST_TOKEN: 'a-token-of-the-stop-test',
      MODEL_PROVIDER: 'offline',
      WORKER_SHUTDOWN_GRACE_SECONDS: '2',
      MODEL_DEFAULTS: 'opus',
    };
    const begin = (command: string, more = {}) =>
      startDocent(join(folder, command), [command], { ...env, ...more }, INSTALLED);
    try {
      const api = begin('api');
      let worker = begin('worker');
      await worker.prints(/"state":"RUNNING"/);
      await api.prints(/listening/i);
      for (const each of [api, worker]) expect(each.output()).toContain('Is MODEL_DEFAULT meant?');
      const site = join(ROOT, 'docs', 'assistant');
      const run = (...args: string[]) => docent(join(folder, 'api'), args, env);
      const project = /prj_\w+/.exec(
        (await run('project', 'add', 'Acme', '--repository', site)).stdout,
      )![0];
      const key = /svc_\w+/.exec((await run('key', 'create', '--kind', 'admin')).stdout)![0];
      const jobs = jobCalls(url, key, project);
      const [model] = childrenOf(worker.process.pid as number).filter(each =>
        argumentsOf(each).join(' ').includes('offline-model'),
      );
      process.kill(model!, 'SIGSTOP');
      const { id } = await jobs.create('Add a page kept.md titled "Kept" with the text "Kept."');
      await delay(1_000);
      for (const [name, running] of [
        ['worker', worker],
        ['api', api],
      ] as const) {
        const asked = Date.now();
        running.process.kill('SIGTERM');
        await running.prints(/"msg":"Stopping: /);
        if (name === 'worker') process.kill(model!, 'SIGCONT');
        expect([name, (await running.ended).code]).toEqual([name, 0]);
        expect(Date.now() - asked).toBeLessThan(graceMs);
      }
      const again = begin('api');
      worker = begin('worker');
      await again.prints(/listening/i);
      expect(await jobs.rest(id)).toMatchObject({
        status: 'completed',
        prLink: expect.any(String),
      });
      for (const running of [again, worker]) running.process.kill('SIGTERM');
      await Promise.all([again.ended, worker.ended]);
      // While it starts and waits for Temporal: the first process of a container has to hear it.
      const early = begin('worker', { TEMPORAL_ADDRESS: '127.0.0.1:1' });
      await delay(5_000);
      early.process.kill('SIGTERM');
      const { code, stderr } = await early.ended;
      expect([code, stderr.trim()]).toEqual([143, 'Stopping …']);
      expect(processesOf(folder)).toEqual([]);
    } finally {
      for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
      await database.close();
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);
});
