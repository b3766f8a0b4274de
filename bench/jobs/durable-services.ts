import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../cli/embedded/ports.ts';
import { startPostgres } from '../../cli/embedded/postgres.ts';
import { obtainTemporalCli } from '../../cli/embedded/temporal-cli.ts';
import { startTemporal } from '../../cli/embedded/temporal.ts';
import { startServices } from '../../test/support/start-services.ts';

/** As `docent start` runs them: everything on disk, commits flushed. */
export async function startDurableServices(): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'));
  await chmod(folder, 0o711);
  const host = '127.0.0.1';
  const cliPath = await obtainTemporalCli({
    searchPath: process.env.PATH ?? '',
    notify: sentence => console.error(sentence),
  });
  const postgres = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'logs', 'postgres.log'),
    host,
    port: await freePort(host),
    durable: true,
  });
  const temporal = await startTemporal({
    cliPath,
    databaseFile: join(folder, 'temporal.sqlite'),
    logFile: join(folder, 'logs', 'temporal.log'),
    host,
    port: await freePort(host),
    uiPort: await freePort(host),
  });
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_TEMPORAL_ADDRESS = temporal.address;
  const rest = await startServices();
  return {
    async stop() {
      await rest.stop();
      await temporal.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
