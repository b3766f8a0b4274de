import { openPool, ping } from '../../shared/db/pool.ts';
import { ConfigError } from '../../shared/errors.ts';

/**
 * Why the database of DATABASE_URL cannot be used and what to do, without the URL, which may hold a
 * password; undefined where it can.
 */
export async function databaseProblem(url: string): Promise<string | undefined> {
  const pool = openPool({ connectionString: url, max: 1 });
  try {
    await ping(pool);
    return undefined;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException; // of several addresses tried, there is no message
    return `The database of DATABASE_URL cannot be reached (${message || code}). Start its Postgres, or correct the variable; without it, "docent start" runs one of its own.`;
  } finally {
    await pool.end();
  }
}

/** Throws `ConfigError` where the database of DATABASE_URL cannot be used. */
export async function requireDatabase(url: string): Promise<void> {
  const problem = await databaseProblem(url);
  if (problem !== undefined) throw new ConfigError(problem);
}
