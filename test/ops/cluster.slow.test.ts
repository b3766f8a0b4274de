import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hasTemporalServer } from '../../ops/cluster/temporal-server.ts';
import { defaultCacheFolder } from '../../cli/embedded/temporal-cli.ts';
import { processesOf } from '../support/processes.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const VERSION = /temporalio\/server:(\S+)/.exec(
  readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'),
)?.[1] as string;
/** It is built once: where neither it nor Go is, there is nothing to start. */
const CAN_START =
  (await hasTemporalServer(defaultCacheFolder(), VERSION)) ||
  (await run('go', ['version']).then(
    () => true,
    () => false,
  ));
const MINUTES = 60_000;

(CAN_START ? describe : describe.skip)('npm run cluster', () => {
  let cluster: ChildProcess;
  let output = '';
  let folder = '';
  let url = '';
  const site = mkdtempSync(join(tmpdir(), 'docent-cluster-site-'));

  const docent = async (...args: string[]) =>
    await run(process.execPath, [
      `--env-file=${join(folder, 'docent.env')}`,
      join(ROOT, 'bin', 'docent.mjs'),
      ...args,
    ]);

  beforeAll(async () => {
    cluster = spawn(
      process.execPath,
      ['--import', 'tsx', 'ops/cluster/cluster.ts', '--port', '0'],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [cluster.stdout, cluster.stderr])
      stream?.on('data', (piece: Buffer) => (output += piece.toString()));
    await until(
      'the cluster is ready',
      () => {
        if (cluster.exitCode !== null) throw new Error(output);
        return /Ctrl-C stops everything/.test(output);
      },
      20 * MINUTES,
    );
    url = /ready at (\S+)/.exec(output)?.[1] ?? '';
    folder = dirname(/--env-file=(\S+)/.exec(output)?.[1] ?? '');
  }, 21 * MINUTES);

  afterAll(() => {
    cluster.kill('SIGKILL');
    rmSync(site, { recursive: true, force: true });
  });

  it(
    'takes a job from the proxy to a pull request, with an API gone meanwhile, and ends whole',
    async () => {
      for (const name of ['api-1', 'api-2', 'worker-1', 'worker-2', 'worker-3'])
        expect(output).toContain(name);
      writeFileSync(join(site, 'index.md'), '# Welcome\n\nThe widget is blue.\n');
      const added = await docent('project', 'add', 'Acme', '--repository', site);
      const project = /prj_\w+/.exec(added.stdout)?.[0] ?? '';
      const made = await docent('key', 'create', '--kind', 'admin');
      const key = /svc_\w+/.exec(made.stdout)?.[0] ?? '';
      const call = async (path: string, body?: object) => {
        const answer = await fetch(`${url}/v2/agent/${project}${path}`, {
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        });
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
        return (await answer.json()) as { id: string; status: string; prLink: string | null };
      };
      const second = Number(/"pid":(\d+)/.exec(logOf('api-2'))?.[1]);
      process.kill(second, 'SIGKILL');
      const { id } = await call('/job', { prompt: 'Replace "blue" with "green".' });
      await until(
        'the job is done',
        async () => (await call(`/job/${id}`)).status === 'completed',
        2 * MINUTES,
      );
      expect((await call(`/job/${id}`)).prLink).toContain(`${url}/pulls/`);
      await until(
        'the API is back',
        () =>
          logOf('api-2').includes('istening') &&
          Number(/"pid":(\d+)/.exec(logOf('api-2'))?.[1]) !== second,
        2 * MINUTES,
      );
      const { stdout: doctor } = await docent('doctor').catch((error: { stdout: string }) => error);
      expect(doctor).toMatch(/each project has its turn/);

      const ended = new Promise(resolve => cluster.once('exit', resolve));
      cluster.kill('SIGINT');
      expect(await ended).toBe(0);
      expect(processesOf(folder)).toEqual([]);
      expect(existsSync(folder)).toBe(false);
    },
    10 * MINUTES,
  );

  function logOf(name: string): string {
    return readFileSync(join(folder, 'logs', `${name}.log`), 'utf8');
  }
});
