import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, type Queryable, transaction } from './pool.ts';

export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations');
const RETRY_MS = 200;
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

/** How such a file ends: its statements run one by one, so that they need not block writers. */
const CONCURRENT = '.concurrent.sql';

/**
 * Applies the migrations that this database lacks, each in a transaction of its own; forward only.
 * Those that end in `.concurrent.sql` run outside of one, and must bear being repeated.
 * Returns their names.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const files = await knownMigrations();
  const applied: string[] = [];
  const lock = await pool.connect();
  try {
    // Not `pg_advisory_lock`: an index that is made without blocking waits for every statement that
    // runs, and so for other waiters for this lock.
    while (!(await holds(lock))) await delay(RETRY_MS);
    await lock.query(
      `create table if not exists migrations (
         name text primary key, applied_at timestamptz not null default now())`,
    );
    const { rows } = await lock.query<{ name: string }>('select name from migrations');
    const done = new Set(rows.map(row => row.name));
    for (const name of files) {
      if (done.has(name)) continue;
      const sql = await readFile(join(MIGRATIONS_FOLDER, name), 'utf8');
      if (name.endsWith(CONCURRENT)) {
        for (const statement of statements(sql)) await lock.query(statement);
        await note(lock, name);
      } else {
        await transaction(pool, async tx => {
          await tx.query(sql);
          await note(tx, name);
        });
      }
      applied.push(name);
    }
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    lock.release();
  }
  return applied;
}

async function holds(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
    LOCK,
  ]);
  return rows[0]!.held;
}

async function note(db: Queryable, name: string): Promise<void> {
  await db.query('insert into migrations (name) values ($1)', [name]);
}

/** Of a file without functions and quotes that hold a semicolon. */
function statements(sql: string): string[] {
  return sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map(each => each.trim())
    .filter(each => each !== '');
}
