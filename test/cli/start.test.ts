import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { freePort } from '../../cli/embedded/ports.ts';
import { demoEnvPath, readDemoEnv, writeDemoEnv } from '../../cli/stack/demo-env.ts';
import {
  docent,
  INSTALLED,
  type RunningDocent,
  startDocent,
  temporaryFolder,
} from '../support/docent.ts';
import { freePair } from '../support/free-pair.ts';
import { jobCalls } from '../support/job-calls.ts';
import { argumentsOf, childrenOf, environmentOf, processesOf, runs } from '../support/processes.ts';
import { slowly } from '../support/slow.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
/** A folder of a few pages. */
const FOLDER = join(ROOT, 'docs', 'assistant');
const HOST = '127.0.0.1';
const READY = /Docent is ready[^]*Ctrl-C stops everything/;
/** Of ours, none of which the worker may have. */
const NOT_FOR_THE_WORKER = {
  GITHUB_WEBHOOK_SECRET: 'a-webhook-secret-of-the-api',
  UNRELATED_TOKEN: 'a-token-of-the-shell',
};
const PROMPT = 'Add a page docs/kept.md titled "Kept" with the text "Still here."';

// One data folder through its whole life; each test goes on where the one before ended.
describe('docent start', () => {
  let folder: string;
  let dataDir: string;
  let running: RunningDocent;
  let jobId: string;
  let metricsPort: number;

  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder, 'data');
    // As if it had run before, on ports that no other start takes meanwhile: the usual ones are
    // everybody's.
    const [api, temporal, ui] = await Promise.all([freePort(HOST), freePort(HOST), freePort(HOST)]);
    await mkdir(dataDir);
    writeDemoEnv(dataDir, {
      BASE_URL: `http://${HOST}:${api}`,
      TEMPORAL_ADDRESS: `${HOST}:${temporal}`,
      TEMPORAL_UI_URL: `http://${HOST}:${ui}`,
    });
    metricsPort = await freePair(HOST);
    const env = {
      METRICS_PORT: String(metricsPort),
      ACTIVITY_HEARTBEAT_SECONDS: '3',
      ...NOT_FOR_THE_WORKER,
    };
    running = startDocent(dataDir, ['start'], env, INSTALLED);
    await running.prints(READY);
    expect(readDemoEnv(dataDir)).toMatchObject({
      BASE_URL: `http://${HOST}:${api}`,
      TEMPORAL_ADDRESS: `${HOST}:${temporal}`,
    });
  }, 120_000);
  afterAll(async () => {
    await leavesNothingBehind('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** Neither what it has started nor another process of our data folder is left. */
  async function leavesNothingBehind(signal: NodeJS.Signals): Promise<void> {
    const children = childrenOf(running.process.pid as number);
    running.process.kill(signal);
    await running.ended;
    await until(
      'no child is left',
      () => processesOf(dataDir).length === 0 && !children.some(runs),
      15_000,
    );
  }

  /** The process of its own that `docent start` has for a part. */
  function child(ending: string): number {
    const found = childrenOf(running.process.pid as number).filter(pid =>
      argumentsOf(pid).join(' ').includes(ending),
    );
    expect(found).toHaveLength(1);
    return found[0] as number;
  }

  it('serves the API, and tells scripts how to reach it', async () => {
    const {
      BASE_URL,
      PROJECT_ID,
      ADMIN_KEY,
      ASSISTANT_KEY,
      DOMAIN,
      TEMPORAL_ADDRESS,
      TEMPORAL_CLI,
      EMBEDDED_TEMPORAL,
    } = readDemoEnv(dataDir);
    expect((await stat(demoEnvPath(dataDir))).mode & 0o777).toBe(0o600);
    expect([PROJECT_ID, DOMAIN, ADMIN_KEY, ASSISTANT_KEY]).toEqual([
      expect.stringMatching(/^prj_/),
      'sample',
      expect.stringMatching(/^svc_\w{46}$/),
      expect.stringMatching(/^svc_dsc_\w{46}$/),
    ]);
    expect(TEMPORAL_ADDRESS).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(TEMPORAL_CLI).toMatch(/temporal$/);
    expect(EMBEDDED_TEMPORAL).toBe(TEMPORAL_ADDRESS);
    expect((await fetch(`${BASE_URL}/readyz`)).status).toBe(200);
    for (const shown of [PROJECT_ID, ADMIN_KEY, ASSISTANT_KEY])
      expect(running.output()).toContain(shown);
  });

  it('runs the worker as a process of its own, which knows no more than it needs', async () => {
    const worker = child('docent.mjs worker');
    expect(argumentsOf(worker)).toEqual([
      process.execPath,
      INSTALLED,
      'worker',
      '--settings-from-parent',
    ]);
    expect(environmentOf(running.process.pid as number)).toMatchObject(NOT_FOR_THE_WORKER);
    const names = Object.keys(environmentOf(worker));
    for (const name of [...Object.keys(NOT_FOR_THE_WORKER), 'DATABASE_URL', 'LOCAL_HOST_TOKEN'])
      expect(names).not.toContain(name);
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME']));
    const metrics = async (port: number) => (await fetch(`http://${HOST}:${port}/metrics`)).text();
    expect(await metrics(metricsPort)).toMatch(/^docent_jobs_active\{/m);
    expect(await metrics(metricsPort)).not.toMatch(/^temporal_/m);
    expect(await metrics(metricsPort + 1)).toMatch(/^temporal_worker_task_slots_available\{/m);
  });

  it("prints a link that makes the dashboard's first owner", async () => {
    const [link = ''] = /http:\S+\/dashboard\/setup#[\w-]{43}/.exec(running.output()) ?? [];
    const { origin, hash } = new URL(link);
    const answer = await fetch(`${origin}/api/dashboard/invitation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ token: hash.slice(1) }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ organization: 'Default', email: null, role: 'owner' }),
    ]);
  });

  it('prints commands to paste that work', async () => {
    const [, commands = ''] = /Try\n([^]*?)\n\n/.exec(running.output()) ?? [];
    const { stdout } = await run('/bin/sh', ['-ec', commands], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: folder },
    });
    expect(stdout).toMatch(
      /^job_\w+ {2}completed {2}http[^]*"jobs":\[\{[^]*Signal workflow succeeded/,
    );
    const [pasted = ''] = /^job_\w+/.exec(stdout) ?? [];
    let diff = '';
    for (let i = 0; i < 20 && !diff.includes('+A job starts with an instruction.'); i++)
      diff = (await docent(dataDir, ['job', 'diff', pasted])).stdout;
    expect(diff).toContain('+A job starts with an instruction.');
  });

  it('turns an instruction into a pull request', async () => {
    const { code, stdout } = await docent(dataDir, ['job', 'create', PROMPT, '--wait', '--json']);
    const job = JSON.parse(stdout) as { id: string; status: string; prLink: string };
    expect([code, job.status]).toEqual([0, 'completed']);
    expect((await fetch(job.prLink)).status).toBe(200);
    jobId = job.id;
    const diff = await docent(dataDir, ['job', 'diff', jobId]);
    expect(diff.stdout).toContain('+Still here.');
    const list = await docent(dataDir, ['job', 'list', '--limit', '1', '--json']);
    expect(JSON.parse(list.stdout)).toEqual({
      jobs: [{ ...job, outcome: 'published', failureCode: null }],
      nextCursor: expect.any(String),
    });
    const pulls = await docent(dataDir, ['pr', 'list']);
    expect(pulls.stdout).toContain(job.prLink);
  });

  it('answers while the worker stands still; a killed one is replaced, and its job continues', async () => {
    const { BASE_URL = '', ADMIN_KEY = '', PROJECT_ID = '', ...env } = readDemoEnv(dataDir);
    const [model, worker] = [child('offline-model'), child('docent.mjs worker')];
    process.kill(model, 'SIGSTOP'); // so that the job is where we want it
    const jobs = jobCalls(BASE_URL, ADMIN_KEY, PROJECT_ID);
    const { id } = await jobs.create('Add a page docs/later.md titled "Later" with the text "On."');
    const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS ?? '' });
    const job = new Client({ connection }).workflow.getHandle(id);
    await until('the worker calls the model', async () => {
      const { raw } = await job.describe();
      return raw.pendingActivities?.[0]?.activityType?.name === 'callModel';
    });
    process.kill(worker, 'SIGSTOP');
    for (const path of ['/healthz', '/dashboard', `/v2/agent/${PROJECT_ID}/job/${id}`])
      expect((await jobs.call('GET', path)).status).toBe(200);
    const git = await run('git', ['ls-remote', `${BASE_URL}/git/sample.git`, 'main']);
    expect(git.stdout).toMatch(/^[0-9a-f]{40}\s/);
    process.kill(worker, 'SIGKILL');
    process.kill(model, 'SIGCONT');
    expect(await jobs.rest(id)).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(child('docent.mjs worker')).not.toBe(worker);
    await connection.close();
  }, 120_000);

  it("has the sample's site indexed, and indexes it when asked to", async () => {
    const { code, stdout } = await docent(dataDir, ['index', 'sample']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^[1-9]\d* pages at [0-9a-f]{7}, \d+ of them new or changed\.\n$/),
    ]);
    const { BASE_URL, DOMAIN, ASSISTANT_KEY } = readDemoEnv(dataDir);
    const found = await fetch(`${BASE_URL}/discovery/v1/search/${DOMAIN}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ASSISTANT_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'docent start' }),
    });
    expect([found.status, await found.json()]).toEqual([
      200,
      expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]),
    ]);
  });

  it('tells by its exit code what went wrong', async () => {
    const attempts: [string[], Record<string, string>, number][] = [
      [['job', 'get', 'job_unknown'], {}, 4],
      [['job', 'list'], { ADMIN_KEY: readDemoEnv(dataDir).ASSISTANT_KEY ?? '' }, 3],
      [['job', 'create', ''], {}, 2],
      [['job', 'create'], {}, 2],
      [['key', 'revoke', 'key_unknown'], {}, 4],
      [['job', 'list', '--base-url', 'http://127.0.0.1:1'], {}, 1],
    ];
    for (const [args, env, code] of attempts) {
      const ended = await docent(dataDir, args, env);
      expect([args, ended.code]).toEqual([args, code]);
      expect(ended.stderr).not.toMatch(/\n\s+at /); // a sentence, never a stack
    }
  });

  it('adds a project from a folder, with keys of its own', async () => {
    const added = await docent(dataDir, ['project', 'add', 'My Docs', '--repository', FOLDER]);
    expect([added.code, added.stderr]).toEqual([0, '']);
    expect(added.stdout).toMatch(/prj_\w+\s+my-docs\s+http:\S+\/git\/my-docs\.git/);
    const key = await docent(dataDir, [
      'key',
      'create',
      '--kind',
      'assistant',
      '--project',
      'my-docs',
    ]);
    expect(key.stdout.trim()).toMatch(/^svc_dsc_\w{46}$/);
    const again = await docent(dataDir, ['project', 'add', 'My Docs', '--repository', FOLDER]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('my-docs')]);
    expect((await docent(dataDir, ['project', 'delete', 'my-docs'])).code).toBe(0);
    expect((await docent(dataDir, ['project', 'show', 'my-docs'])).code).toBe(4);
    expect(
      (await docent(dataDir, ['project', 'add', 'Again', '--repository', 'my-docs'])).stdout,
    ).toContain('/git/my-docs.git');
    await run('git', [
      '--git-dir',
      join(dataDir, 'repositories', 'my-docs.git'),
      'update-ref',
      '-d',
      'refs/heads/main',
    ]);
    const index = await docent(dataDir, ['index', 'again']);
    expect([index.code, index.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^(?:\d+ of \d+ pages read\n)*Indexing again failed: The branch main does not exist in .*\.\n$/,
      ),
    ]);
  });

  it('refuses a second start on the same folder', async () => {
    const { code, stderr } = await docent(dataDir, ['start']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is already running on /)]);
    expect((await fetch(`${readDemoEnv(dataDir).BASE_URL}/readyz`)).status).toBe(200);
  });

  it('names the log to read to the doctor of a worker that is not there', async () => {
    const { stdout } = await docent(dataDir, ['doctor'], { TASK_QUEUE: 'nobody' });
    expect(stdout).toMatch(/note +worker +none polls .* nobody: .*logs\/worker\.log/);
  });

  it('starts Postgres and Temporal again when they end by themselves, and says so', async () => {
    const pid = async (file: string) =>
      Number((await readFile(join(dataDir, file), 'utf8')).split('\n')[0]);
    process.kill(await pid('postgres/cluster/postmaster.pid'), 'SIGQUIT');
    process.kill(await pid('temporal.sqlite.pid'), 'SIGKILL');
    const log = () => readFile(join(dataDir, 'logs', 'docent.log'), 'utf8');
    for (const name of ['Postgres', 'Temporal'])
      while (!(await log()).includes(`${name} was started again`)) await delay(200);
    expect(await log()).toContain('Temporal ended by itself');
    const edit = 'Append the line "Started again." to docs/kept.md';
    const { code, stdout } = await docent(dataDir, ['job', 'message', jobId, edit, '--wait']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    expect((await fetch(`${readDemoEnv(dataDir).BASE_URL}/readyz?for=jobs`)).status).toBe(200);
  }, 120_000);

  it('leaves no child behind when it is killed, and starts again with demo.env loaded', async () => {
    const before = readDemoEnv(dataDir);
    await leavesNothingBehind('SIGKILL');
    running = startDocent(dataDir, ['start'], before);
    await running.prints(READY);
    expect(readDemoEnv(dataDir)).toEqual(before);
    expect(running.output()).not.toContain('svc_');
    const { code, stdout } = await docent(dataDir, [
      'job',
      'message',
      jobId,
      'In docs/kept.md replace "Still here." with "Here again."',
      '--wait',
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
  });

  it('leaves nothing behind when it is stopped, after the worker has finished', async () => {
    await leavesNothingBehind('SIGINT');
    expect((await running.ended).code).toBe(0);
    const lines = (await readFile(join(dataDir, 'logs', 'worker.log'), 'utf8')).trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ state: 'STOPPED' });
  });

  slowly('keeps data, keys and address without demo.env', async () => {
    const before = readDemoEnv(dataDir);
    running = startDocent(dataDir, ['start']);
    await running.prints(READY);
    expect(readDemoEnv(dataDir)).toEqual(before);
    expect(running.output()).not.toContain('svc_');
    const { code, stdout } = await docent(dataDir, ['job', 'get', jobId]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
  });
});
