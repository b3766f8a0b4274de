import { resolve } from 'node:path';
import { type Config, readConfig } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { type Pool, openPool } from '../../shared/db/pool.ts';
import { requireDatabase } from './database.ts';
import { findRunning } from '../stack/running.ts';

/**
 * The environment that the command was started with: the one place that hands it on is
 * cli/docent.ts.
 */
export type Env = Record<string, string | undefined>;

export type ConnectedConfig = Config & { DATABASE_URL: string; TEMPORAL_ADDRESS: string };

/**
 * The settings, with the data folder as an absolute path: children run elsewhere. In a shell that
 * has loaded a demo.env, TEMPORAL_ADDRESS is no setting of the user's where it names an embedded
 * server: that one is not there without its docent, and another installation that took it would
 * share its task queue.
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
 * The settings of a command that joins a running system: what the environment leaves open is taken
 * from the `docent start` that runs on the data folder. Throws `ConfigError` where neither says it.
 */
export function connectedConfig(env: Env): ConnectedConfig {
  const config = localConfig(env);
  const running =
    config.DATABASE_URL && config.TEMPORAL_ADDRESS ? undefined : findRunning(config.DATA_DIR);
  const DATABASE_URL = config.DATABASE_URL ?? running?.databaseUrl;
  const TEMPORAL_ADDRESS = config.TEMPORAL_ADDRESS ?? running?.temporalAddress;
  if (!DATABASE_URL || !TEMPORAL_ADDRESS) {
    throw new ConfigError(
      `Nothing runs on ${config.DATA_DIR}. Run "docent start" first, or set DATABASE_URL and TEMPORAL_ADDRESS.`,
    );
  }
  const LOCAL_HOST_URL = config.LOCAL_HOST_URL ?? running?.localHostUrl;
  const LOCAL_HOST_TOKEN = config.LOCAL_HOST_TOKEN ?? running?.localHostToken;
  const PUBLIC_URL = config.PUBLIC_URL ?? running?.baseUrl;
  return {
    ...config,
    DATABASE_URL,
    TEMPORAL_ADDRESS,
    ...(LOCAL_HOST_URL && { LOCAL_HOST_URL }),
    ...(LOCAL_HOST_TOKEN && { LOCAL_HOST_TOKEN }),
    ...(PUBLIC_URL && { PUBLIC_URL }),
  };
}

/** Runs a command's work with a small pool on the database, and closes it. */
export async function withDatabase<T>(
  env: Env,
  work: (pool: Pool, config: ConnectedConfig) => Promise<T>,
): Promise<T> {
  const config = connectedConfig(env);
  if (env['DATABASE_URL']) await requireDatabase(config.DATABASE_URL);
  const pool = openPool({ connectionString: config.DATABASE_URL, max: 2 });
  try {
    return await work(pool, config);
  } finally {
    await pool.end();
  }
}
