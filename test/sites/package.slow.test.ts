import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { actionSteps } from '../support/action-steps.ts';
import { nodeRelease } from '../support/checkout.ts';
import { slowly } from '../support/slow.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', 'sites');
const ACTION = join(PACKAGE, '..', 'ops', 'docent-check');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

const UNKNOWN =
  'Not known: what the build adds, links to other sites (--external). ' +
  'After a build, --built DIR judges by its HTML.\n';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

describe('the package of sites/, installed in an empty folder', () => {
  let folder: string;
  let tarball: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-sites-'));
    await mkdir(join(folder, 'site', 'docs'), { recursive: true });
    await run('npm', ['pack', '--pack-destination', folder, ...QUIET], PACKAGE);
    tarball = (await readdir(folder)).find(name => name.endsWith('.tgz')) ?? '';
    const empty = join(folder, 'empty');
    await mkdir(empty);
    await run('npm', ['install', '--prefer-offline', ...QUIET, join('..', tarball)], empty);
    await write('mkdocs.yml', 'site_name: X\n');
    await write('docs/index.md', '# X\n\n[a](gone.md)\n');
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write = (path: string, text: string) => writeFile(join(folder, 'site', path), text);
  const installed = (program: string, ...args: string[]) =>
    run(program, args, join(folder, 'empty'));
  const check = (...args: string[]) =>
    installed(join(folder, 'empty', 'node_modules', '.bin', 'docent-check'), ...args);

  it('checks a site, ends with 1 for an error and with 0 without one', async () => {
    expect(await check('../site')).toEqual({
      code: 1,
      stdout:
        'MkDocs in docs: 1 page\n' +
        'error  docs/index.md:3  link gone.md: gone.md does not exist.\n' +
        UNKNOWN,
      stderr: '1 error found.\n',
    });
    const { code, stdout, stderr } = await check('../site', '--json');
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'mkdocs', findings: [{ rule: 'link' }] });
    expect((await check('../site', '--format', 'github')).stdout).toBe(
      '::error file=docs/index.md,line=3,title=link::gone.md: gone.md does not exist.\n',
    );
    await write('docs/gone.md', '# Gone\n');
    expect(await check('../site')).toEqual({
      code: 0,
      stdout: `MkDocs in docs: 2 pages\nNo problems found.\n${UNKNOWN}`,
      stderr: '',
    });
  });

  it('says what is wrong with its arguments', async () => {
    expect(await check('nowhere')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no folder nowhere.\n',
    });
    expect((await check('--nope')).code).toBe(2);
  });

  it('is run by the steps of the action', async () => {
    const env = { package: join(folder, tarball), folder: '../site', output: 'out.sarif' };
    const steps = await actionSteps(join(ACTION, 'action.yml'), { ...env, format: 'sarif' });
    expect(steps).toHaveLength(2);
    const ended: Ended[] = [];
    for (const { script, given } of steps)
      ended.push(await run('bash', ['-c', script], join(folder, 'empty'), given));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const written = await readFile(join(folder, 'empty', 'out.sarif'), 'utf8');
    expect(JSON.parse(written)).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] });
  }, 120_000);

  it('stops a commit that breaks a link, as a hook of git', async () => {
    const site = join(folder, 'site');
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], site);
    await git('init', '-q');
    await git('config', 'docent-check.package', join(folder, tarball));
    await copyFile(join(ACTION, 'pre-commit'), join(site, '.git', 'hooks', 'pre-commit'));
    await write('docs/old.md', '[x](long-gone.md)\n');
    await git('add', '-A');
    expect((await git('commit', '--no-verify', '-qm', 'a')).code).toBe(0);
    await write('docs/new.md', '[x](nothing.md)\n');
    await git('add', '-A');
    const stopped = await git('commit', '-qm', 'b');
    expect([stopped.code, stopped.stdout + stopped.stderr]).toEqual([
      1,
      expect.stringContaining('docs/new.md:1  link nothing.md'),
    ]);
    expect(stopped.stdout + stopped.stderr).not.toContain('long-gone');
    await write('docs/new.md', '# New\n');
    await git('add', '-A');
    expect((await git('commit', '-qm', 'b')).code).toBe(0);
    await rm(join(site, 'docs', 'old.md'));
  }, 120_000);

  it('has types of all that it exports', async () => {
    await writeFile(
      join(folder, 'empty', 'use.mts'),
      `import { checkSite, findSites, folderSource, kindTitle, readSite, siteSource } from 'docent-sites';
       import type { FoundSite, KnownSite, Site, SiteFinding, SitePage, SiteSource } from 'docent-sites';
       const source: SiteSource = folderSource('.');
       const [found]: FoundSite[] = findSites(source);
       const site: KnownSite | undefined = readSite(siteSource(['a.md'], () => ''), found);
       const page: SitePage | undefined = (site as Site | undefined)?.pages[0];
       const findings: SiteFinding[] = site ? checkSite(source, site) : [];
       export const texts: (string | undefined)[] = [found && kindTitle(found.kind), page?.path];
       // @ts-expect-error: they are types, not any.
       export const wrong: number = findings;`,
    );
    const flags = ['--noEmit', '--strict', '--module', 'NodeNext', '--types', '', '--ignoreConfig'];
    const tsc = join(PACKAGE, '..', 'node_modules', '.bin', 'tsc');
    expect(await installed(tsc, ...flags, 'use.mts')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  slowly(
    'runs on Node 20, 22 and 24',
    async () => {
      const program = join(folder, 'empty', 'node_modules', '.bin', 'docent-check');
      for (const major of ['20', '22', '24'])
        expect(await installed(nodeRelease(major), program, '../site')).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('No problems found.'),
        });
    },
    120_000,
  );

  it('is a library, too', async () => {
    const script = `
      import { checkSite, findSites, folderSource, readSite } from 'docent-sites';
      const source = folderSource('../site');
      const [found] = findSites(source);
      console.log(found.kind, checkSite(source, readSite(source, found)).length);
    `;
    expect(await installed(process.execPath, '--input-type=module', '-e', script)).toEqual({
      code: 0,
      stdout: 'mkdocs 0\n',
      stderr: '',
    });
  });
});

async function run(
  program: string,
  args: string[],
  cwd: string,
  given: Record<string, string> = {},
): Promise<Ended> {
  const { NODE_OPTIONS: _ours, ...own } = process.env;
  const env = { ...own, RUNNER_TEMP: cwd, ...given };
  try {
    return { code: 0, ...(await promisify(execFile)(program, args, { cwd, env })) };
  } catch (error) {
    if (program === 'npm') throw error;
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}
