import { resolve } from 'node:path';
import { type Config, readConfig } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { type Pool, openPool } from '../../db/pool.ts';
import { StoredApp } from '../../hosts/github/stored-app.ts';
import { requireDatabase } from './database.ts';
import { readEncryptionKey } from './encryption-key.ts';
import { findRunning } from '../stack/running.ts';

/** The environment of the command. Only cli/docent.ts reads and passes it on. */
export type Env = Record<string, string | undefined>;

export type ConnectedConfig = Config & { DATABASE_URL: string; TEMPORAL_ADDRESS: string };

/**
 * The settings, with the data folder as an absolute path, because children run in other folders. In
 * a shell that has loaded a demo.env, the address of an embedded Temporal server is ignored: that
 * server exists only while its docent runs, and another installation that used it would share its
 * task queue.
 */
export function localConfig(env: Env): Config {
  const loaded =
    Boolean(env['TEMPORAL_ADDRESS']) && env['TEMPORAL_ADDRESS'] === env['EMBEDDED_TEMPORAL'];
  const config = readConfig(
    loaded ? { ...env, TEMPORAL_ADDRESS: undefined, TEMPORAL_UI_URL: undefined } : env,
  );
  return { ...config, DATA_DIR: resolve(config.DATA_DIR) };
}

/**
 * The settings of a command that uses a running system: the environment's, completed from the
 * `docent start` that runs on the data folder. Throws `ConfigError` if both lack an address.
 */
export function connectedConfig(env: Env): ConnectedConfig {
  const config = localConfig(env);
  const running =
    config.DATABASE_URL && config.TEMPORAL_ADDRESS ? undefined : findRunning(config.DATA_DIR);
  const DATABASE_URL = config.DATABASE_URL ?? running?.databaseUrl;
  const TEMPORAL_ADDRESS = config.TEMPORAL_ADDRESS ?? running?.temporalAddress;
  if (!DATABASE_URL || !TEMPORAL_ADDRESS) {
    throw new ConfigError(
      `Docent is not running on ${config.DATA_DIR}. ` +
        'Run "docent start" first, or set DATABASE_URL and TEMPORAL_ADDRESS.',
    );
  }
  const LOCAL_HOST_URL = config.LOCAL_HOST_URL ?? running?.localHostUrl;
  const LOCAL_HOST_TOKEN = config.LOCAL_HOST_TOKEN ?? running?.localHostToken;
  const PUBLIC_URL = config.PUBLIC_URL ?? running?.baseUrl;
  const ENCRYPTION_KEY = config.ENCRYPTION_KEY ?? (running && readEncryptionKey(config.DATA_DIR));
  return {
    ...config,
    DATABASE_URL,
    TEMPORAL_ADDRESS,
    ...(LOCAL_HOST_URL && { LOCAL_HOST_URL }),
    ...(LOCAL_HOST_TOKEN && { LOCAL_HOST_TOKEN }),
    ...(PUBLIC_URL && { PUBLIC_URL }),
    ...(ENCRYPTION_KEY && { ENCRYPTION_KEY }),
  };
}

/** Runs `work` with a small database pool and closes the pool. */
export async function withDatabase<T>(
  env: Env,
  work: (pool: Pool, config: ConnectedConfig) => Promise<T>,
): Promise<T> {
  const config = connectedConfig(env);
  if (env['DATABASE_URL']) await requireDatabase(config.DATABASE_URL);
  const pool = openPool({ connectionString: config.DATABASE_URL, max: 2 });
  try {
    // A database that is not migrated yet has none.
    await new StoredApp(config, pool).read().catch(() => undefined);
    return await work(pool, config);
  } finally {
    await pool.end();
  }
}
