import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../cli/embedded/ports.ts';
import { startPostgres } from '../../cli/embedded/postgres.ts';
import { startTemporal } from '../../cli/embedded/temporal.ts';
import { migrate } from '../../shared/db/migrate.ts';
import { openPool, type Pool } from '../../shared/db/pool.ts';
import { testTemporal } from './services.ts';

const HOST = '127.0.0.1';

export interface OwnServices {
  temporalAddress: string;
  database: { url: string; pool: Pool; close(): Promise<void> };
  /** Stops the service, keeps its files as a backup, and starts it again. */
  backUp(service: 'temporal' | 'postgres'): Promise<void>;
  /** Stops the service, brings the backup's files back, and starts it again. */
  restore(service: 'temporal' | 'postgres'): Promise<void>;
  close(): Promise<void>;
}

/** A Postgres and a Temporal server that only one test uses, and whose files it can put back. */
export async function startOwnServices(): Promise<OwnServices> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-own-'));
  chmodSync(folder, 0o711); // root runs Postgres as another user
  const [port, uiPort, databasePort] = [
    await freePort(HOST),
    await freePort(HOST),
    await freePort(HOST),
  ];
  const start = {
    temporal: () =>
      startTemporal({
        cliPath: testTemporal().cliPath,
        databaseFile: join(folder, 'temporal.db'),
        logFile: join(folder, 'temporal.log'),
        host: HOST,
        port,
        uiPort,
      }),
    postgres: () =>
      startPostgres({
        folder: join(folder, 'postgres'),
        logFile: join(folder, 'postgres.log'),
        host: HOST,
        port: databasePort,
        durable: true,
      }),
  };
  const [temporal, postgres] = await Promise.all([start.temporal(), start.postgres()]);
  const running: Record<'temporal' | 'postgres', { stop(): Promise<void> }> = {
    temporal,
    postgres,
  };
  const pool = openPool({ connectionString: postgres.url });
  await migrate(pool);
  const files = {
    temporal: () => readdirSync(folder).filter(name => /^temporal\.db(-wal|-shm)?$/.test(name)),
    postgres: () => ['postgres'],
  };
  const copy = (from: string, to: string, names: string[]) => {
    mkdirSync(to, { recursive: true });
    for (const name of names) {
      rmSync(join(to, name), { recursive: true, force: true });
      // With owners: Postgres does not run as root.
      execFileSync('cp', ['-a', join(from, name), join(to, name)]);
    }
  };
  const kept = join(folder, 'kept');
  const stopped = async (service: 'temporal' | 'postgres', work: () => void) => {
    await running[service].stop();
    work();
    running[service] = await start[service]();
  };
  return {
    temporalAddress: temporal.address,
    database: { url: postgres.url, pool, close: () => pool.end() },
    backUp: service => stopped(service, () => copy(folder, kept, files[service]())),
    restore: service =>
      stopped(service, () => {
        for (const name of files[service]())
          rmSync(join(folder, name), { recursive: true, force: true });
        const names = readdirSync(kept).filter(name => name.startsWith(service));
        copy(kept, folder, names);
      }),
    async close() {
      await Promise.all(Object.values(running).map(service => service.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
