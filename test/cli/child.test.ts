import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild, waitUntilReady } from '../../cli/embedded/child.ts';
import { freePort } from '../../cli/embedded/ports.ts';
import { isProcess } from '../../cli/embedded/process.ts';
import { startTemporal } from '../../cli/embedded/temporal.ts';

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
      const child = await startChild({ command: 'sleep', args: ['271'], logFile, env: { PATH: '/usr/bin:/bin' } });
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
      env: { PATH: '/usr/bin:/bin' },
    });
    await child.stop();
    expect(await gone(child.pid, 'sleep 272')).toBe(true);
    await child.stop();
  });

  it('that ends while it starts is reported with the end of its log', async () => {
    const logFile = join(folder, 'log');
    const fails = async (keepLog: boolean) => {
      const child = await startChild({
        command: '/bin/sh',
        args: ['-c', 'echo no such luck; exit 3'],
        logFile,
        keepLog,
        env: { PATH: '/usr/bin:/bin' },
      });
      await expect(waitUntilReady('The server', child, logFile, async () => false)).rejects.toThrow(
        /ended while it was starting.* ends with:\nno such luck$/,
      );
    };
    await fails(false);
    await fails(false);
    expect(await readFile(logFile, 'utf8')).toBe('no such luck\n');
    await fails(true);
    expect(await readFile(logFile, 'utf8')).toBe('no such luck\nno such luck\n');
  });

  it('that cannot be asked whether it is ready is not left behind', async () => {
    const child = await startChild({
      command: 'sleep',
      args: ['273'],
      logFile: join(folder, 'log'),
      env: { PATH: '/usr/bin:/bin' },
    });
    await expect(
      waitUntilReady('The server', child, join(folder, 'log'), () =>
        Promise.reject(new Error('no answer')),
      ),
    ).rejects.toThrow('no answer');
    expect(isProcess(child.pid, 'sleep 273')).toBe(false);
  });

  it('of ours sees nothing of our environment, and asks no other machine: Temporal and its guard', async () => {
    process.env['DOCENT_TEST_SECRET'] = 'not-for-children';
    const databaseFile = join(folder, 'temporal.db');
    const temporal = await startTemporal({
      cliPath: process.env['TEST_TEMPORAL_CLI']!,
      databaseFile,
      logFile: join(folder, 'temporal.log'),
      host: '127.0.0.1',
      port: await freePort('127.0.0.1'),
      uiPort: await freePort('127.0.0.1'),
      env: { GODEBUG: 'netdns=go+2' }, // logs each name that is looked up
    });
    try {
      const pid = await readFile(`${databaseFile}.pid`, 'utf8');
      const ours = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' });
      const guard = new RegExp(`^ *(\\d+) .*docent-guard ${pid}$`, 'm').exec(ours)?.[1];
      expect(guard).toBeDefined();
      for (const one of [pid, guard]) {
        const names = (await readFile(`/proc/${one}/environ`, 'utf8'))
          .split('\0')
          .flatMap(variable => variable.split('=', 1)[0] || []);
        expect(names).not.toContain('DOCENT_TEST_SECRET');
        expect(names.length).toBeLessThan(6);
      }
    } finally {
      delete process.env['DOCENT_TEST_SECRET'];
      await temporal.stop();
    }
    expect(await readFile(join(folder, 'temporal.log'), 'utf8')).not.toMatch(/LookupOrder\(/);
  }, 60_000);

  it('that does not exist is reported by name', async () => {
    await expect(
      startChild({
        command: join(folder, 'absent'),
        args: [],
        logFile: join(folder, 'log'),
        env: {},
      }),
    ).rejects.toThrow('absent did not start');
  });
});
