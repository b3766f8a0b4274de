import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/checkout.ts';
import { temporaryFolder } from '../support/docent.ts';
import { processesOf } from '../support/processes.ts';
import { until } from '../support/until.ts';

/** What `npm start` runs, with an installation that takes as long as its file exists. */
describe('npm start, before Docent', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    mkdirSync(join(folder, 'bin'));
    cpSync(join(ROOT, 'bin', 'prepared-docent.mjs'), join(folder, 'bin', 'prepared-docent.mjs'));
    writeFileSync(join(folder, 'bin', 'docent.mjs'), 'console.log(`docent ${process.argv[2]}`);');
    writeFileSync(join(folder, 'installs'), '');
    const wait = `while [ -e '${folder}/installs' ]; do sleep 0.1; done`;
    writeFileSync(
      join(folder, 'setup.mjs'),
      `import { execFileSync } from 'node:child_process';
       execFileSync('/bin/sh', ['-c', ${JSON.stringify(wait)}]);`,
    );
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function start() {
    const child = spawn(process.execPath, [join(folder, 'bin', 'prepared-docent.mjs'), 'start'], {
      cwd: folder,
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<{ code: number | null; left: number[] }>(resolve =>
      child.once('exit', code => resolve({ code, left: processesOf(folder) })),
    );
    return { child, ended, output: () => output };
  }
  const installs = () => until('it installs', () => processesOf(folder).length >= 3, 10_000);

  it('becomes Docent once all is there', async () => {
    const started = start();
    await installs();
    expect(started.output()).toBe('');
    await rm(join(folder, 'installs'));
    expect((await started.ended).code).toBe(0);
    await until('it has said so', () => started.output() === 'docent start\n');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with its installation on %s', async signal => {
    const started = start();
    await installs();
    started.child.kill(signal);
    expect(await started.ended).toEqual({ code: signal === 'SIGINT' ? 130 : 143, left: [] });
    expect(started.output()).toBe('');
    expect(existsSync(join(folder, 'installs'))).toBe(true);
  });
});
