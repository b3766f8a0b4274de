import { chmod, lstat, mkdtemp, readlink, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../cli/embedded/ports.ts';
import { startPostgres } from '../../cli/embedded/postgres.ts';
import { processesOf } from '../support/processes.ts';

const HOST = '127.0.0.1';

describe('the embedded Postgres', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-postgres-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const start = async () =>
    await startPostgres({
      folder: join(folder, 'postgres'),
      logFile: join(folder, 'log'),
      host: HOST,
      port: await freePort(HOST),
      durable: false,
    });
  async function query(url: string, text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  it('keeps its data, takes only its password, and stops', async () => {
    await chmod(folder, 0o711);
    const first = await start();
    await query(first.url, 'create table kept as select 42 as n');
    const guess = new URL(first.url);
    guess.password = 'postgres';
    await expect(query(guess.href, 'select 1')).rejects.toThrow('password authentication failed');
    await first.stop();
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    const second = await start();
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }]);
    expect((await stat(join(folder, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
    await second.stop();
  });

  it('ends with all of its processes, even one that does not answer', async () => {
    const server = await start();
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]!.pid, 'SIGSTOP');
    await server.stop(500);
    expect(processesOf(await realpath(join(folder, 'postgres')))).toEqual([]);
    await client.end().catch(() => undefined);
  });

  // Only root runs Postgres as another user, who may not reach the data folder.
  (userInfo().uid === 0 ? it : it.skip)(
    'lies elsewhere, behind a link, where its user cannot reach the folder',
    async () => {
      await chmod(folder, 0o700);
      const first = await start();
      await query(first.url, 'create table kept as select 43 as n');
      await first.stop();
      expect((await lstat(join(folder, 'postgres'))).isSymbolicLink()).toBe(true);
      const second = await start();
      expect(await query(second.url, 'select n from kept')).toEqual([{ n: 43 }]);
      await second.stop();
      await rm(await readlink(join(folder, 'postgres')), { recursive: true });
      await expect(start()).rejects.toThrow(
        /is no more\. Restore that folder, or remove the data folder/,
      );
    },
  );
});
