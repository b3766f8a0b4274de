import { openPool, ping } from '../../db/pool.ts';
import { ConfigError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';

/**
 * Why the database of DATABASE_URL cannot be used and what to do, without the URL, which may
 * contain a password; undefined if it can be used.
 */
export async function databaseProblem(url: string): Promise<string | undefined> {
  const pool = openPool({ connectionString: url, max: 1 });
  try {
    await ping(pool);
    return undefined;
  } catch (error) {
    // If several addresses were tried, there is no message.
    const { message, code } = error as NodeJS.ErrnoException;
    return (
      `The database of DATABASE_URL cannot be reached (${message || code}). ` +
      'Start its Postgres or correct the variable. ' +
      'Without the variable, "docent start" runs its own Postgres.'
    );
  } finally {
    await pool.end();
  }
}

/** Throws `ConfigError` if the database of DATABASE_URL cannot be used. */
export async function requireDatabase(url: string): Promise<void> {
  const problem = await databaseProblem(url);
  if (problem !== undefined) throw new ConfigError(problem);
}

/** For processes that may start before their database does, and wait for it. */
export async function warnOfDatabase(url: string, logger: Logger): Promise<void> {
  const problem = await databaseProblem(url);
  if (problem !== undefined) logger.warn(problem);
}
