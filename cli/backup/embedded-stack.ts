import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { freePort } from '../embedded/ports.ts';
import { startPostgres } from '../embedded/postgres.ts';
import { findRunning, lockDataFolder } from '../stack/running.ts';

export const POSTGRES_FOLDER = 'postgres';
export const TEMPORAL_FILE = 'temporal.sqlite';

/** Throws `ConfigError` unless `docent start` runs both databases on the data folder itself. */
export function requireEmbedded(config: Config): void {
  const own = (['DATABASE_URL', 'TEMPORAL_ADDRESS'] as const).filter(name => config[name]);
  if (own.length > 0)
    throw new ConfigError(
      `${own.join(' and ')} is set: this command is for the databases that "docent start" runs ` +
        'itself. Back up and restore your own ones with their tools, in the order that the page ' +
        '"Back up and restore" names.',
    );
}

/** The Postgres of the data folder: that of the running `docent start`, else one for this command. */
export async function openPostgres(
  config: Config,
): Promise<{ url: string; close(): Promise<void> }> {
  const { DATA_DIR: dataDir, HOST: host } = config;
  const folder = join(dataDir, POSTGRES_FOLDER);
  if (!existsSync(join(folder, 'cluster', 'PG_VERSION')))
    throw new ConfigError(`There is no Docent in ${dataDir}: set DATA_DIR to its data folder.`);
  const running = findRunning(dataDir);
  if (running) {
    return { url: running.databaseUrl, close: async () => undefined };
  }
  const lock = await lockDataFolder(dataDir);
  try {
    const logFile = join(dataDir, 'logs', 'postgres.log');
    const port = await freePort(host);
    const server = await startPostgres({ folder, logFile, host, port, durable: true });
    return {
      url: server.url,
      close: async () => {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
