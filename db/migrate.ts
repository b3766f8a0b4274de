import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pool, type Queryable, transaction } from './pool.ts';

export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations');
const LOCK = 7_363_624_201; // any constant: two processes that migrate at once take turns

/** The migrations of this release, oldest first. */
export async function knownMigrations(): Promise<string[]> {
  return (await readdir(MIGRATIONS_FOLDER)).filter(name => name.endsWith('.sql')).sort();
}

/** The newest migration that a database has; undefined if it has none. */
export async function newestMigration(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string | null }>(
    'select max(name) as name from migrations',
  );
  return rows[0]?.name ?? undefined;
}

/**
 * Applies the migrations that this database lacks, each in a transaction of its own; forward only.
 * Returns their names.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const files = await knownMigrations();
  const applied: string[] = [];
  const lock = await pool.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [LOCK]);
    await lock.query(
      `create table if not exists migrations (
         name text primary key, applied_at timestamptz not null default now())`,
    );
    const { rows } = await lock.query<{ name: string }>('select name from migrations');
    const done = new Set(rows.map(row => row.name));
    for (const name of files) {
      if (done.has(name)) continue;
      const sql = await readFile(join(MIGRATIONS_FOLDER, name), 'utf8');
      await transaction(pool, async tx => {
        await tx.query(sql);
        await tx.query('insert into migrations (name) values ($1)', [name]);
      });
      applied.push(name);
    }
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    lock.release();
  }
  return applied;
}
