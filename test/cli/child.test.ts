import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild, waitUntilReady } from '../../cli/embedded/child.ts';
import { isProcess } from '../../cli/embedded/process.ts';

describe('a child', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-child-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function gone(pid: number, word: string): Promise<boolean> {
    for (let waited = 0; waited < 5_000; waited += 50) {
      if (!isProcess(pid, word)) return true;
      await delay(50);
    }
    return false;
  }

  it('ends with its parent, even one that is killed', async () => {
    const script = join(folder, 'parent.mts');
    const module = join(import.meta.dirname, '..', '..', 'cli', 'embedded', 'child.ts');
    await writeFile(
      script,
      `
      import { startChild } from ${JSON.stringify(module)};
      const logFile = ${JSON.stringify(join(folder, 'log'))};
      const child = await startChild({ command: 'sleep', args: ['271'], logFile });
      console.log(child.pid);
      setInterval(() => undefined, 1000);
    `,
    );
    const parent = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>(resolve =>
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))),
    );
    expect(isProcess(pid, 'sleep 271')).toBe(true);
    parent.kill('SIGKILL');
    expect(await gone(pid, 'sleep 271')).toBe(true);
  });

  it('ends when it is told to, and is left alone by its guard after that', async () => {
    const child = await startChild({
      command: 'sleep',
      args: ['272'],
      logFile: join(folder, 'log'),
    });
    await child.stop();
    expect(await gone(child.pid, 'sleep 272')).toBe(true);
    await child.stop();
  });

  it('that ends while it starts is reported with the end of its log', async () => {
    const logFile = join(folder, 'log');
    const child = await startChild({
      command: '/bin/sh',
      args: ['-c', 'echo no such luck; exit 3'],
      logFile,
    });
    await expect(waitUntilReady('The server', child, logFile, async () => false)).rejects.toThrow(
      /ended while it was starting[^]*no such luck/,
    );
    expect(await readFile(logFile, 'utf8')).toBe('no such luck\n');
  });

  it('that cannot be asked whether it is ready is not left behind', async () => {
    const child = await startChild({
      command: 'sleep',
      args: ['273'],
      logFile: join(folder, 'log'),
    });
    await expect(
      waitUntilReady('The server', child, join(folder, 'log'), () =>
        Promise.reject(new Error('no answer')),
      ),
    ).rejects.toThrow('no answer');
    expect(isProcess(child.pid, 'sleep 273')).toBe(false);
  });

  it('that does not exist is reported by name', async () => {
    await expect(
      startChild({ command: join(folder, 'absent'), args: [], logFile: join(folder, 'log') }),
    ).rejects.toThrow('absent did not start');
  });
});
