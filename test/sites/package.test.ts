import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeRelease } from '../support/checkout.ts';
import { slowly } from '../support/slow.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', 'sites');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

describe('the package of sites/, installed in an empty folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-sites-'));
    await mkdir(join(folder, 'site', 'docs'), { recursive: true });
    await run('npm', ['pack', '--pack-destination', folder, ...QUIET], PACKAGE);
    const tarball = (await readdir(folder)).find(name => name.endsWith('.tgz')) ?? '';
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
        'error  docs/index.md:3  link gone.md: gone.md does not exist.\n',
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
      stdout: 'MkDocs in docs: 2 pages\nNo problems found.\n',
      stderr: '',
    });
  });

  it('says what is wrong with its arguments', async () => {
    expect(await check('nowhere')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no folder nowhere.\n',
    });
    expect((await check('--nope')).code).toBe(2);
  });

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

async function run(program: string, args: string[], cwd: string): Promise<Ended> {
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  try {
    return { code: 0, ...(await promisify(execFile)(program, args, { cwd, env })) };
  } catch (error) {
    if (program === 'npm') throw error;
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}
