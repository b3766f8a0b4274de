import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { copyCheckout, linkPackages, nodeRelease, registryAccess } from '../support/checkout.ts';
import { temporaryFolder } from '../support/docent.ts';
import { testTemporalCli } from '../support/services.ts';

const run = promisify(execFile);
const MB = 1_000_000;

/** `npm pack` in a clean clone, installed in empty folders. */
describe('the package', () => {
  let folder: string;
  let tarball: string;
  let files: string[];
  beforeAll(async () => {
    folder = await temporaryFolder();
    const clone = join(folder, 'clone');
    copyCheckout(clone);
    linkPackages(clone);
    await run('npm', ['pack', '--pack-destination', folder], { cwd: clone, maxBuffer: 1e8 });
    tarball = join(folder, readdirSync(folder).find(name => name.endsWith('.tgz')) ?? '');
    files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8', maxBuffer: 1e8 })
      .trim()
      .split('\n')
      .map(name => name.replace('package/', ''));
  }, 900_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('holds what runs and the docs; no tests, no benches, no sources', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        ...['bin/docent.mjs', 'dist/docent.mjs', 'dist/offline-model.mjs', 'dist/workflows.js'],
        ...[
          'dashboard/dist/index.html',
          'dashboard/dist/widget.js',
          'db/migrations/0001_baseline.sql',
          'docs/quickstart.md',
        ],
        ...['agent/prompts/agent.md', 'dist/sbom.cdx.json', 'dist/LICENCES.txt', 'LICENSE'],
      ]),
    );
    expect(files.filter(name => /\.(tsx?|mts|map)$|^(test|bench|ops)\//.test(name))).toEqual([]);
    expect(files.filter(name => /(^|\/)\.|node_modules/.test(name))).toEqual([]);
    expect(statSync(tarball).size).toBeLessThan(6 * MB);
  });

  describe.each(['20', '22', '24'])('installed in an empty folder, on Node %s', major => {
    const at = () => join(folder, `node-${major}`);
    const home = () => join(folder, `home-${major}`);
    const env = () => ({
      PATH: `${dirname(nodeRelease(major))}${delimiter}${process.env['PATH']}`,
      ...registryAccess(),
      HOME: home(),
      TEMPORAL_CLI_PATH: testTemporalCli(),
    });
    const npx = (...args: string[]) =>
      run('npx', ['docent', ...args], { cwd: at(), env: env(), maxBuffer: 1e8 });
    beforeAll(async () => {
      for (const each of [at(), home()]) mkdirSync(each);
      // Where npm runs no scripts of packages, Docent does without them.
      const more = major === '22' ? ['--ignore-scripts'] : [];
      await run(
        'npm',
        ['install', '--prefer-offline', '--no-audit', '--no-fund', ...more, tarball],
        {
          ...{ cwd: at(), env: env() },
        },
      );
    }, 900_000);

    it('is small, with nothing that only builds or tests', () => {
      const packages = execFileSync('du', ['-sk', join(at(), 'node_modules')], {
        encoding: 'utf8',
      });
      expect(Number.parseInt(packages, 10) / 1000).toBeLessThan(290);
      for (const name of [
        'esbuild',
        '@esbuild',
        'webpack',
        '@swc',
        'tsx',
        'vite',
        'typescript',
        'jest',
      ])
        expect(existsSync(join(at(), 'node_modules', name))).toBe(false);
    });

    it('lists everything of others in it, with licences', () => {
      const read = (name: string) =>
        readFileSync(join(at(), 'node_modules', 'docent', 'dist', name), 'utf8');
      const { metadata, components } = JSON.parse(read('sbom.cdx.json')) as {
        metadata: { component: { name: string } };
        components: { name: string; version: string; licenses?: unknown[] }[];
      };
      expect(metadata.component.name).toBe('docent');
      const listed = components.map(({ name, version }) => `${name}@${version}`);
      const names = components.map(({ name }) => name);
      // Of the programs, of the workflows, of the dashboard.
      expect(names).toEqual(
        expect.arrayContaining(['fastify', '@temporalio/workflow', 'react', 'source-map']),
      );
      for (const name of ['jest', 'playwright-core', 'typescript', 'webpack', 'vite'])
        expect(names).not.toContain(name);
      const { packages } = JSON.parse(
        readFileSync(join(at(), 'node_modules', '.package-lock.json'), 'utf8'),
      ) as { packages: Record<string, { version: string }> };
      const installed = Object.entries(packages)
        .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
        .filter(each => !each.startsWith('docent@'));
      // A range of one of theirs may have found a newer release since our lock file was written.
      expect(
        installed.map(each => each.replace(/@[^@]+$/, '')).filter(each => !names.includes(each)),
      ).toEqual([]);
      const licences = read('LICENCES.txt');
      for (const each of listed) expect(licences).toContain(`${each} (`);
    });

    it('runs docent check', async () => {
      mkdirSync(join(at(), 'site'));
      writeFileSync(join(at(), 'site', 'index.md'), '# X\n\n[gone](gone.md)\n');
      const failed = await npx('check', 'site').catch(
        (error: unknown) => error as { stdout: string },
      );
      expect(failed.stdout).toContain('gone.md does not exist');
      expect((await npx('check', 'node_modules/docent')).stdout).toContain('No problems found.');
    }, 60_000);

    it('runs docent demo, to a pull request and its follow-up', async () => {
      const { stdout } = await npx('demo', '--exit');
      expect(stdout.match(/^Pull request http/gm)).toHaveLength(2);
      expect(stdout).toContain('+Answers to what people ask first.');
    }, 300_000);

    it('runs docent start, with its docs and dashboard, until it is stopped', async () => {
      const child = spawn('npx', ['docent', 'start'], { cwd: at(), env: env(), detached: true });
      try {
        const address = await new Promise<string>((resolve, reject) => {
          let text = '';
          child.stdout.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            const found = /(http:\/\/127\.0\.0\.1:\d+)\/reference/.exec(text)?.[1];
            if (found) resolve(found);
          });
          child.once('exit', () => reject(new Error(text)));
        });
        for (const path of ['/docs/quickstart', '/dashboard', '/reference'])
          expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 200]);
        expect(await (await fetch(`${address}/dashboard`)).text()).toContain('/dashboard/assets/');
        const doctor = (await npx('doctor')).stdout;
        expect(doctor).toMatch(/ok +worker +one polls/);
        expect(doctor).toMatch(/ok +database +has the tables/);
      } finally {
        const ended = new Promise(resolve => child.once('exit', resolve));
        process.kill(-(child.pid as number), 'SIGTERM');
        await ended;
      }
    }, 300_000);
  });
});
