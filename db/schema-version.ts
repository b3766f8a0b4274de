import { DatabaseError } from 'pg';
import { knownMigrations } from './migrate.ts';
import type { Queryable } from './pool.ts';

const UNDEFINED_TABLE = '42P01';
let newest: string | undefined;

/**
 * Why this release cannot work on the database, as a sentence; undefined if it can. Rejects if
 * Postgres cannot be reached.
 */
export async function databaseShortcoming(db: Queryable): Promise<string | undefined> {
  newest ??= (await knownMigrations()).at(-1);
  try {
    const { rows } = await db.query<{ migrated: boolean; readOnly: boolean }>(
      `select exists (select from migrations where name = $1) as migrated,
              pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`,
      [newest],
    );
    const [found] = rows;
    if (found?.readOnly) return 'Postgres accepts no writes.';
    return found?.migrated ? undefined : OUTDATED;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return OUTDATED;
    throw error;
  }
}

const OUTDATED = 'The database lacks tables of this release: run "docent migrate".';
