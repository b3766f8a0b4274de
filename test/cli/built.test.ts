import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyCheckout, linkPackages, ROOT } from '../support/checkout.ts';
import { temporaryFolder } from '../support/docent.ts';
import { testTemporal } from '../support/services.ts';

const run = promisify(execFile);

describe('npm run build', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    // A checkout of its own: what is built here must not run elsewhere.
    copyCheckout(folder);
    linkPackages(folder);
    await run(process.execPath, [join(folder, 'bin', 'build.mjs')]);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const docent = async (...args: string[]) =>
    (
      await run(process.execPath, [join(folder, 'bin', 'docent.mjs'), ...args], {
        env: { PATH: process.env['PATH'] },
      }).catch((error: unknown) => error as { stdout: string })
    ).stdout;
  /** Its place shows which of the two has run. */
  const where = async () =>
    await run(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { builtFile } from ${JSON.stringify(join(folder, 'bin', 'built.mjs'))};
         console.log(builtFile('docent.mjs') ?? 'sources');`,
      ],
      {},
    ).then(({ stdout }) => stdout.trim());

  it('makes commands, the thread that reads sites and the workflows; all of them run', async () => {
    expect(await where()).toBe(join(folder, 'dist', 'docent.mjs'));
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await docent('--version')).toBe(`${version}\n`);
    expect(await docent('check', join(folder, 'docs'))).not.toMatch(/error/i);
    expect(readFileSync(join(folder, 'dist', 'workflows.js'), 'utf8')).toContain('agentJob');
  }, 60_000);

  it('runs docent doctor against a Temporal that runs', async () => {
    const { address } = testTemporal();
    const { stdout } = await run(process.execPath, [join(folder, 'bin', 'docent.mjs'), 'doctor'], {
      env: { PATH: process.env['PATH'], TEMPORAL_ADDRESS: address, TASK_QUEUE: 'nobody' },
    });
    expect(stdout).toMatch(/note +worker +none polls the task queue nobody/);
  }, 60_000);

  it('is refused where a package in CommonJS would lose its exports', async () => {
    const command = join(folder, 'cli', 'docent.ts');
    const text = readFileSync(command, 'utf8');
    writeFileSync(
      command,
      `${text}\nconst { Client } = await import('@temporalio/client');\nvoid Client;\n`,
    );
    const failed = run(process.execPath, [join(folder, 'bin', 'build.mjs')]);
    await expect(failed).rejects.toThrow(
      /cli\/docent\.ts imports node_modules\/@temporalio\/client\/\S+ dynamically, which is CommonJS/,
    );
    writeFileSync(command, text);
    expect(await where()).toBe(join(folder, 'dist', 'docent.mjs'));
  }, 60_000);

  it('is not used once a source has changed', async () => {
    const command = join(folder, 'cli', 'docent.ts');
    const text = readFileSync(command, 'utf8');
    writeFileSync(command, text.replace('A self-hosted documentation agent', 'A changed agent'));
    expect(await where()).toBe('sources');
    expect(await docent('--help')).toContain('A changed agent');
    writeFileSync(command, text);
    expect(await where()).toBe(join(folder, 'dist', 'docent.mjs'));
  }, 60_000);
});
